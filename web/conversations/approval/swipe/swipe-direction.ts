/** How a finger, a pen or a mouse moves over a card: what it means is decided once, after the first pixels. */

/** Pixels until it is known whether the page is scrolled or the card is moved. */
const DECIDED_AFTER = 10;
/** Pixels from which letting go acts. */
export const SWIPE_THRESHOLD_PX = 96;

export type SwipeDirection = "undecided" | "card" | "page";

/** The gesture must be clearly horizontal, so that scrolling never moves a card. */
export function swipeDirectionOf(dx: number, dy: number): SwipeDirection {
  if (Math.hypot(dx, dy) < DECIDED_AFTER) return "undecided";
  return Math.abs(dx) > 1.5 * Math.abs(dy) ? "card" : "page";
}

/** How far the card goes; where a direction does nothing it hardly moves. */
export const offsetOf = (dx: number, may: { right: boolean; left: boolean }): number =>
  (dx > 0 ? may.right : may.left) ? dx : dx / 6;

/** What letting go there does. */
export function swipeDecision(dx: number, may: { right: boolean; left: boolean }): "right" | "left" | null {
  if (Math.abs(dx) < SWIPE_THRESHOLD_PX) return null;
  const side = dx > 0 ? "right" : "left";
  return may[side] ? side : null;
}
