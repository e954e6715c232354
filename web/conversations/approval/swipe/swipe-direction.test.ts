import { expect, test } from "vitest";
import { offsetOf, swipeDecision, swipeDirectionOf } from "./swipe-direction.ts";

const both = { right: true, left: true };

test("scrolling never moves a card: it moves only with a clearly horizontal gesture", () => {
  expect(swipeDirectionOf(6, 6)).toBe("undecided");
  expect(swipeDirectionOf(20, 4)).toBe("card");
  expect(swipeDirectionOf(-20, 4)).toBe("card");
  expect(swipeDirectionOf(20, 18)).toBe("page");
  expect(swipeDirectionOf(0, -40)).toBe("page");
});

test("letting go acts from a quarter of a phone's width on, and only where something can be done", () => {
  expect(swipeDecision(95, both)).toBeNull();
  expect(swipeDecision(96, both)).toBe("right");
  expect(swipeDecision(-130, both)).toBe("left");
  expect(swipeDecision(200, { right: false, left: true })).toBeNull();
  expect(offsetOf(120, both)).toBe(120);
  expect(offsetOf(120, { right: false, left: true })).toBe(20);
});
