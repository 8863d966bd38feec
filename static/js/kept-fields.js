// A page with several forms sends one of them at a time. What was typed into the others is there again afterwards, in this
// window, until it is sent itself. Forms take part by `data-kept`.

const keyOf = (field) => `kept ${location.pathname} ${field.name}`;

function recall(field) {
  try {
    return sessionStorage.getItem(keyOf(field));
  } catch {
    return null; // storage is switched off
  }
}

function remember(field, text) {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(field));
    else sessionStorage.setItem(keyOf(field), text);
  } catch {
    // Storage is switched off: the text lasts for this page.
  }
}

for (const form of document.querySelectorAll("form[data-kept]")) {
  const fields = [...form.querySelectorAll("textarea")];
  for (const field of fields) {
    field.value = recall(field) ?? field.value;
    field.addEventListener("input", () => remember(field, field.value));
  }
  form.addEventListener("submit", () => {
    for (const field of fields) remember(field, null);
  });
}
