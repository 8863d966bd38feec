// Around the practice room: a word before its minute starts, and one when it is over.

const byId = (id) => document.getElementById(id);
const desk = byId("desk");
const before = byId("practice-before");

before.addEventListener("close", () => {
  byId("answer").focus();
  desk.dispatchEvent(new Event("begin"));
});
before.showModal();

desk.addEventListener("submit", (event) => {
  event.preventDefault();
  desk.reset();
  byId("submit-dialog").close();
  for (const part of document.querySelectorAll(".room-status, .room-clock, .room-tools, #notices, #desk")) {
    part.hidden = true;
  }
  byId("practice-over").hidden = false;
  byId("over-heading").focus();
});
