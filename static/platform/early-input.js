// Nobody has heard what was typed before the scripts ran, or what the browser kept over a reload: its events are sent
// again once there are listeners.

function differsFromServed(field) {
  if (field instanceof HTMLSelectElement) {
    const served = [...field.options].map((option) => option.defaultSelected);
    if (!field.multiple && !served.includes(true)) served[0] = true; // what a browser shows then
    return [...field.options].some((option, index) => option.selected !== (served[index] ?? false));
  }
  return field.value !== (field.defaultValue ?? field.value) || field.checked !== field.defaultChecked;
}

document.addEventListener("DOMContentLoaded", () => {
  for (const field of document.querySelectorAll("input, select, textarea")) {
    if (!differsFromServed(field)) continue;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
});
