// Text comes first: what a room's script does waits until there is something to read.

const AT_LATEST = 1000; // ms: a window that paints nothing keeps no room from working

/** Resolves once the page's text was painted; at once where nobody looks. */
export function painted() {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const paints = new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length) resolve();
    });
    paints.observe({ type: "paint", buffered: true });
    setTimeout(resolve, AT_LATEST);
  });
}
