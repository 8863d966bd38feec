// A heat map is one stop of the tab key; inside, the arrow keys move from cell to cell. Without a script every cell
// is a stop of its own.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function cellsOf(map) {
  return [...map.querySelectorAll("tbody a")];
}

function makeStop(cell) {
  for (const other of cellsOf(cell.closest("[data-heat-map]"))) other.tabIndex = other === cell ? 0 : -1;
}

// The part of the page that was exchanged has all its stops again.
function prepare() {
  for (const map of document.querySelectorAll("[data-heat-map]")) {
    const cells = cellsOf(map);
    const stop = cells.find((cell) => cell === document.activeElement) ?? cells[0];
    if (stop) makeStop(stop);
  }
}

// The next link in a direction: cells without one are skipped.
function next(link, [down, right]) {
  const cell = link.closest("td, th");
  const rows = [...cell.closest("tbody").rows];
  let [row, column] = [rows.indexOf(cell.parentElement), cell.cellIndex];
  while (rows[(row += down)]?.cells[(column += right)]) {
    const found = rows[row].cells[column].querySelector("a");
    if (found) return found;
  }
  return null;
}

document.addEventListener("keydown", (event) => {
  const link = event.target.closest("[data-heat-map] tbody a");
  const step = STEPS[event.key];
  if (!link || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const found = next(link, step);
  if (!found) return;
  makeStop(found);
  found.focus();
});

document.addEventListener("htmx:afterSettle", prepare);
prepare();
