// The line at the foot of the guess page: how many answers have their guess, and what each of the others still lacks.

const form = document.querySelector("[data-guesses]");
const answered = form.querySelector("[data-answered]");
const links = [...form.querySelectorAll("[data-slot]")];

const given = (part, slot) => form.elements.namedItem(`${part}:${slot}`).value;

function stateOf(slot) {
  const source = given("source", slot);
  if (!source) return "open";
  return source === "unknown" || given("confidence", slot) ? "done" : "how sure?";
}

function show() {
  for (const link of links) {
    const state = stateOf(link.dataset.slot);
    link.dataset.state = state;
    link.querySelector("[data-state-word]").textContent = state;
  }
  const done = links.filter(({ dataset }) => dataset.state === "done").length;
  const words = `${done} of ${links.length} answered`;
  if (answered.textContent !== words) answered.textContent = words; // it is read out with every change
}

form.addEventListener("change", show);
window.addEventListener("pageshow", show); // the browser may bring choices back by itself
