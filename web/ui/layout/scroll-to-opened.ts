/** Space in pixels between a block and the bars that it is scrolled to. */
const GAP_PX = 8;

/**
 * Scrolls the window so that a block which was just opened is in sight between the header and a phone's bar of sections. One that is
 * wholly in sight stays where it is; of one that is higher than that room the beginning is shown.
 * @param to "top": the beginning comes to just below the header; "nearest": the block moves no further than it needs
 */
export function scrollToOpened(block: HTMLElement, to: "top" | "nearest") {
  const bar = (name: string) => document.querySelector<HTMLElement>(`[data-${name}]`);
  const top = (bar("top-bar")?.getBoundingClientRect().bottom ?? 0) + GAP_PX;
  const bottom = innerHeight - (bar("bottom-bar")?.offsetHeight ?? 0) - GAP_PX;
  const box = block.getBoundingClientRect();
  if (box.top >= top && box.bottom <= bottom) return;
  const toTop = box.top - top;
  const by = to === "top" || toTop < 0 ? toTop : Math.min(toTop, box.bottom - bottom);
  scrollBy({ top: by, behavior: "instant" });
}
