// Whom the writing room speaks to: the server, or in the practice room a stand-in that forgets everything.

import { PracticeServer } from "./practice-server.js";
import { WritingServer } from "./writing-server.js";

export function serverFor(desk) {
  const { practice, penUrl, stateUrl, saveUrl } = desk.dataset;
  return practice === undefined ? new WritingServer({ penUrl, stateUrl, saveUrl }) : new PracticeServer(desk);
}
