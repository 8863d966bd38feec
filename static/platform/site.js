// Small conveniences on every page; all pages work without them.

function storeTheme(theme) {
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Storage is switched off: the choice lasts for this page.
  }
}

function showTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
  }
}

function closeMenusOutside(target) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(target)) menu.open = false;
  }
}

async function copyText(button) {
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.innerText.trim());
  button.dataset.label ??= button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = button.dataset.label), 2000);
}

// Pictures are loaded as they are scrolled to: on paper all of them are seen, in the inks of paper.
function loadPictures() {
  const pictures = [...document.querySelectorAll("img:not(.in-dark)")];
  for (const picture of pictures) picture.loading = "eager";
  return Promise.allSettled(pictures.map((picture) => picture.decode()));
}

async function printPage() {
  const longest = new Promise((resolve) => setTimeout(resolve, 10_000)); // one that fails holds nothing up
  await Promise.race([loadPictures(), longest]);
  window.print();
}

window.addEventListener("beforeprint", loadPictures); // the browser's own command does not wait for them

document.addEventListener("click", (event) => {
  closeMenusOutside(event.target);
  const button = event.target.closest("button");
  if (!button) return;
  if ("themeChoice" in button.dataset) {
    storeTheme(button.dataset.themeChoice);
    showTheme(button.dataset.themeChoice);
  } else if ("copy" in button.dataset) {
    copyText(button);
  } else if ("print" in button.dataset) {
    printPage();
  }
});

// A form that sends something is sent once, however often its button is pressed. Rooms that send by themselves have
// prevented the event before it arrives here.
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if ("sent" in event.target.dataset) {
    event.preventDefault();
    return;
  }
  event.target.dataset.sent = "";
  event.submitter?.setAttribute("aria-disabled", "true");
});

// Coming back to a page brings it back as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of document.querySelectorAll("button[aria-disabled]")) {
      if (button.form === form) button.removeAttribute("aria-disabled");
    }
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// These controls do nothing without a script, so they are hidden until there is one.
for (const control of document.querySelectorAll("[data-theme-switch], [data-print]")) control.hidden = false;
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}
showTheme(document.documentElement.dataset.theme ?? "system");

// The present tab is in view: at first, and when zooming in or turning a phone has made the row narrower.
const rows = new ResizeObserver((entries) => {
  for (const { target: row } of entries) {
    const tab = row.querySelector("[aria-current]");
    if (tab) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }
});

for (const row of document.querySelectorAll(".tabs ul")) rows.observe(row);

// A table or picture that goes on beyond its edge says so in words, as long as it does. Tables may be exchanged in their
// place. A picture is no stop of the tab key where there is nothing to scroll.
const SCROLLED = ".table-scroll, .figure-scroll";
const edges = new ResizeObserver((entries) => {
  for (const { target } of entries) tellWhetherItGoesOn(target.closest(SCROLLED));
});

function tellWhetherItGoesOn(region) {
  let words = region.previousElementSibling;
  if (!words?.matches(".goes-on")) {
    words = document.createElement("p");
    words.className = "goes-on";
    const what = region.matches(".figure-scroll") ? "picture" : "table";
    words.textContent = `This ${what} is wider than the page: scroll it sideways.`;
    words.hidden = true;
    region.before(words);
  }
  words.hidden = region.scrollWidth <= region.clientWidth;
  if (!region.matches(".figure-scroll")) return;
  if (words.hidden) region.removeAttribute("tabindex");
  else region.tabIndex = 0;
}

function watchTables() {
  for (const part of document.querySelectorAll(`${SCROLLED}, .table-scroll > table, .figure-scroll > img`)) {
    edges.observe(part);
  }
}

watchTables();
document.addEventListener("htmx:afterSettle", watchTables);
