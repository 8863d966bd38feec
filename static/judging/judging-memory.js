// Where this browser keeps what the judging room remembers of an item; see platform/memory.js.

export function keyOfItem(item) {
  return `judging-item-${item}`;
}
