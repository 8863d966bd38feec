// Runs while the page arrives, before its first paint, so that the room appears as it was left and nothing moves
// afterwards. Here is what a room that is new to its judge looks like; judging-views.js remembers what is changed.
(() => {
  function recall(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // Storage is switched off.
    }
  }

  const isAtLeast = (width, height = "0rem") => matchMedia(`(width >= ${width}) and (height >= ${height})`).matches;
  const room = { view: isAtLeast("64rem") ? "overview" : "reading", open: "A", sides: ["A", "B"] };
  const pins = { rubric: isAtLeast("48rem", "40rem") || isAtLeast("64rem", "30rem") };

  function restore(element) {
    const { judging, item, answer, scores, remember } = element.dataset;
    const label = answer ?? scores;
    if (judging !== undefined) {
      for (const kept of [recall("judging-habits"), recall(`judging-item-${item}`)]) {
        Object.assign(room, kept);
        Object.assign(pins, kept?.pins);
      }
      element.dataset.view = room.view;
    } else if (label) {
      element.classList.toggle("is-open", label === room.open);
      element.classList.toggle("is-beside", label !== room.open && room.sides.includes(label));
      element.classList.toggle("is-right", label === room.sides[1]);
    } else if (remember) {
      element.open = pins[remember] ?? element.open;
    }
  }

  const arrivals = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.dataset) restore(node);
  });
  arrivals.observe(document, { childList: true, subtree: true });
  addEventListener("DOMContentLoaded", () => arrivals.disconnect());
})();
