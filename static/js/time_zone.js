// Chooses the browser's own time zone where nobody has chosen one yet.

const select = document.querySelector("select[data-time-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (select?.value === "UTC" && [...select.options].some((option) => option.value === zone)) {
  select.value = zone;
}
