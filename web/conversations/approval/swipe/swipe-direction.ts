/** Interprets how a finger, a pen or a mouse moves over a card. The direction is decided once, after the first pixels. */

/** Pixels after which a movement counts as scrolling or as a swipe. */
const DECIDED_AFTER = 10;
/** Pixels from which releasing the card performs the action. */
export const SWIPE_THRESHOLD_PX = 96;

export type SwipeDirection = "undecided" | "card" | "page";

/** The gesture must be clearly horizontal, so that scrolling never moves a card. */
export function swipeDirectionOf(dx: number, dy: number): SwipeDirection {
  if (Math.hypot(dx, dy) < DECIDED_AFTER) return "undecided";
  return Math.abs(dx) > 1.5 * Math.abs(dy) ? "card" : "page";
}

/** Offset of the card, which hardly moves in a direction without an action. */
export const offsetOf = (dx: number, may: { right: boolean; left: boolean }): number =>
  (dx > 0 ? may.right : may.left) ? dx : dx / 6;

/** Returns the action that releasing the card at this offset performs. */
export function swipeDecision(dx: number, may: { right: boolean; left: boolean }): "right" | "left" | null {
  if (Math.abs(dx) < SWIPE_THRESHOLD_PX) return null;
  const side = dx > 0 ? "right" : "left";
  return may[side] ? side : null;
}
