// A link to a line of a table that is being imported shows and marks that line in the field that holds the table.

function mark(area, number) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((length, line) => length + line.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  const height = area.scrollHeight / lines.length;
  area.scrollTop = Math.max(0, (number - 3) * height);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  if (!link) return;
  event.preventDefault();
  mark(document.querySelector(link.hash), Number(link.dataset.line));
});
