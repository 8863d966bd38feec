// What local storage keeps reaches the disk only after seconds, and a browser that is killed before that has forgotten
// it. Here it is on the disk as well, within milliseconds. What fails, fails quietly: local storage still has it.

const DATABASE = "on-disk";
const ENTRIES = "entries";
const PATIENCE = 1000; // ms; a browser's storage may be busy for a moment, or stuck for good

let opened = null;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(ENTRIES);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Resolves to what `act` asked the entries for, or to null. Acts end in the order in which they were begun. */
async function act(mode, ask) {
  try {
    const transaction = (await database()).transaction(ENTRIES, mode, { durability: "strict" });
    const request = ask(transaction.objectStore(ENTRIES));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return null;
  }
}

const beginningWith = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Keep what local storage has under a key: an object with `at`, when it was said. */
export function keepOnDisk(key, entry) {
  return act("readwrite", (entries) => entries.put({ ...entry, key }, key));
}

/** Drop what is kept under a key. */
export function dropFromDisk(key) {
  return act("readwrite", (entries) => entries.delete(key));
}

/** Drop what is kept under all keys that begin so. */
export function dropAllFromDisk(prefix) {
  return act("readwrite", (entries) => entries.delete(beginningWith(prefix)));
}

/** Put back into local storage what begins with `prefix` and is lost there, or older; `onPut` is told each entry. */
export async function putBack(prefix, onPut = () => {}) {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const kept = await Promise.race([act("readonly", (entries) => entries.getAll(beginningWith(prefix))), patience]);
  for (const { key, ...entry } of kept ?? []) {
    try {
      const there = JSON.parse(localStorage.getItem(key));
      if (there && there.at >= entry.at) continue;
      localStorage.setItem(key, JSON.stringify(entry));
    } catch {
      continue; // nothing can be put back
    }
    onPut(entry);
  }
}
