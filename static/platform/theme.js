// Runs before the first paint, so that a chosen theme never flashes, nor a chosen size of the texts. Without a choice the
// system decides.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    const { dataset } = document.documentElement;
    if (theme === "light" || theme === "dark") dataset.theme = theme;
    dataset.textSize = localStorage.getItem("writing-text-size") ?? 1;
  } catch {
    // Storage is switched off in this browser: stay with the system's theme.
  }
})();
