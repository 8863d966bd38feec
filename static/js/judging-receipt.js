// The item is in: what this browser remembered of it goes.
import { forget, keyOfItem } from "./judging-memory.js";

forget(keyOfItem(document.querySelector("[data-judging-receipt]").dataset.judgingReceipt));
