// Leaving a form with changes that were not sent asks first: <form data-unsaved="">; "yes" where it comes back refused.

const form = document.querySelector("form[data-unsaved]");

form?.addEventListener("input", () => (form.dataset.unsaved = "yes"));
form?.addEventListener("submit", () => (form.dataset.unsaved = ""));
addEventListener("beforeunload", (event) => form?.dataset.unsaved && event.preventDefault());
