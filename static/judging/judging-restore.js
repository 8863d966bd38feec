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

  /** What was left in another browser later is found here too. */
  function keep(key, left) {
    try {
      localStorage.setItem(key, left);
    } catch {
      // It is kept on the page.
    }
  }

  const isAtLeast = (width, height) => matchMedia(`(width >= ${width}) and (height >= ${height})`).matches;
  const room = { view: "reading", open: "A", sides: ["A", "B"] };
  const pins = { rubric: isAtLeast("72rem", "30rem") }; // where it has a column of its own

  function restore(element) {
    const { judging, single, item, opensWith, left, answer, scores, remember } = element.dataset;
    const label = answer ?? scores;
    if (judging !== undefined) {
      const isOverview = opensWith === "overview"; // a condition of the study, whatever somebody is used to
      const key = `judging-item-${item}`;
      const elsewhere = left ? JSON.parse(left) : null;
      if (elsewhere && elsewhere.at > (recall(key)?.at ?? 0)) keep(key, left);
      if (isOverview) pins.rubric = isAtLeast("48rem", "30rem");
      for (const kept of [recall("judging-habits"), isOverview && { view: opensWith }, recall(key) ?? elsewhere]) {
        Object.assign(room, kept);
        Object.assign(pins, kept?.pins);
      }
      if (single !== undefined) Object.assign(room, { view: "reading", open: "A", sides: ["A"] });
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
