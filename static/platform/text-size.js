// The size of the texts in both rooms, in steps; theme.js sets it before the first paint.

const SIZES = 3;

const steps = document.querySelectorAll("button[data-text-step]");
const { dataset } = document.documentElement;

function setSize(size) {
  dataset.textSize = size;
  for (const button of steps) {
    const next = size + Number(button.dataset.textStep);
    button.disabled = next < 0 || next >= SIZES;
  }
}

export function listenForTextSize() {
  for (const button of steps) {
    button.addEventListener("click", () => {
      setSize(Number(dataset.textSize) + Number(button.dataset.textStep));
      try {
        localStorage.setItem("writing-text-size", dataset.textSize);
      } catch {
        // Storage is switched off: the size lasts for this page.
      }
    });
  }
  setSize(Number(dataset.textSize ?? 1));
}
