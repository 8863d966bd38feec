// What of a page is seen.

/** Between which heights of the window an element is seen: within all that scrolls, and above what covers its foot. */
export function seenPartOf(element) {
  const own = element.getBoundingClientRect();
  let top = Math.max(own.top, 0);
  let bottom = Math.min(own.bottom, innerHeight);
  for (let box = element.parentElement; box !== document.documentElement; box = box.parentElement) {
    const { display, overflowY } = getComputedStyle(box);
    if (overflowY === "visible" || display === "contents") continue;
    const around = box.getBoundingClientRect();
    top = Math.max(top, around.top);
    bottom = Math.min(bottom, around.bottom);
  }
  const cover = coverAt(own.left + own.width / 2, bottom - 1, element);
  if (cover) bottom = Math.min(bottom, cover.getBoundingClientRect().top);
  return { top, bottom: Math.max(top, bottom) };
}

/** What lies over an element at a point of the window, as the scores at the foot of a tablet do. */
function coverAt(x, y, element) {
  let found = document.elementFromPoint(x, y);
  if (!found || found.contains(element) || element.contains(found)) return null;
  while (!found.parentElement.contains(element)) found = found.parentElement;
  return found;
}

/** Whether the beginning of a range within `element` is seen. */
export function isSeen(range, element) {
  const { top } = range.getBoundingClientRect();
  const seen = seenPartOf(element);
  return seen.top <= top && top < seen.bottom;
}

/** Scroll the beginning of a range to a third of what shows it; at once for people who prefer less motion. */
export function bringIntoView(range) {
  let box = range.startContainer.parentElement;
  while (box !== document.documentElement && !scrolls(box)) box = box.parentElement;
  const top = box === document.documentElement ? 0 : box.getBoundingClientRect().top;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  box.scrollBy({
    top: range.getBoundingClientRect().top - top - box.clientHeight / 3,
    behavior: isCalm ? "instant" : "smooth",
  });
}

/** Show an element, or as much of its beginning as fits, in the box that scrolls around it; the page stays as it is. */
export function showInItsBox(element) {
  let box = element.parentElement;
  while (box && !scrolls(box)) box = box.parentElement;
  if (!box) return;
  const [own, around] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
  const [above, below] = [own.top - around.top, own.bottom - around.bottom];
  if (above < 0 || below > 0) box.scrollTop += Math.min(above, Math.max(below, 0));
}

function scrolls(box) {
  return box.scrollHeight > box.clientHeight && /auto|scroll/u.test(getComputedStyle(box).overflowY);
}
