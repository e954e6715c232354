import { expect, test } from "vitest";
import { courseOf, meantBy, offsetOf } from "./swipe-course.ts";

const both = { right: true, left: true };

test("whoever scrolls never moves a card: it goes sideways only for a clearly sideways move", () => {
  expect(courseOf(6, 6)).toBe("undecided");
  expect(courseOf(20, 4)).toBe("card");
  expect(courseOf(-20, 4)).toBe("card");
  expect(courseOf(20, 18)).toBe("page");
  expect(courseOf(0, -40)).toBe("page");
});

test("letting go acts from a quarter of a phone's width on, and only where something can be done", () => {
  expect(meantBy(95, both)).toBeNull();
  expect(meantBy(96, both)).toBe("right");
  expect(meantBy(-130, both)).toBe("left");
  expect(meantBy(200, { right: false, left: true })).toBeNull();
  expect(offsetOf(120, both)).toBe(120);
  expect(offsetOf(120, { right: false, left: true })).toBe(20);
});
