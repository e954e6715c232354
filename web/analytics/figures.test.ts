import { expect, test } from "vitest";
import {
  barShare,
  changeText,
  dayInHeading,
  dayText,
  percentText,
  periodText,
  satisfactionText,
  testsText,
} from "./figures.ts";

test("bars are scaled against 250 interactions, however few there are, and stay full beyond", () => {
  expect([0, 5, 125, 250, 251, 10_000].map((day) => barShare(day))).toEqual([0, 0.02, 0.5, 1, 1, 1]);
});

test("the period is described in a sentence, and compared with the days before it if anything was answered then", () => {
  const plain = (text: string) => text.replace(/\s/g, " ");
  expect(plain(periodText(7, 1500, 900))).toBe(
    "За 7 дней двойники ответили 1 500 раз, на 67% больше, чем за 7 дней до того",
  );
  expect(plain(periodText(30, 2, 4))).toBe(
    "За 30 дней двойники ответили 2 раза, на 50% меньше, чем за 30 дней до того",
  );
  expect(plain(periodText(7, 9, 9))).toBe("За 7 дней двойники ответили 9 раз, столько же, сколько за 7 дней до того");
  for (const before of [0, undefined]) {
    expect(plain(periodText(7, 1, before))).toBe("За 7 дней двойники ответили 1 раз");
  }
});

test("a figure that was not measured is a dash, not zero", () => {
  expect([percentText(null), satisfactionText(null)]).toEqual(["—", "—"]);
  expect([percentText(94.24), percentText(100), satisfactionText(5)]).toEqual(["94,2%", "100%", "5,0"]);
});

test("percentages beside each other have the same number of digits", () => {
  expect([90.26, 91, 0, 100].map(percentText)).toEqual(["90,3%", "91,0%", "0%", "100%"]);
});

test("a day is shown with its weekday in any time zone, and an unknown date unchanged", () => {
  expect(dayText("2026-11-21")).toBe("сб, 21 нояб.");
  expect(dayText("вчера")).toBe("вчера");
  expect([dayInHeading("2026-11-21"), dayInHeading("вчера")]).toEqual(["Суббота, 21 ноября", "вчера"]);
});

test("a change is said in percent, points or stars, and not where there is nothing to compare with", () => {
  expect(changeText(1500, 900, "percent")).toBe("+67%");
  expect(changeText(91.5, 94, "points")).toBe("−2,5 п. п.");
  expect(changeText(4.5, 4.2, "rating")).toBe("+0,3");
  expect(changeText(90, 90, "points")).toBe("столько же");
  for (const was of [null, undefined, 0]) expect(changeText(5, was, "percent")).toBeUndefined();
  expect(changeText(null, 5, "percent")).toBeUndefined();
});

test("beside the number of answers stands how many of them were given in test chats", () => {
  expect(testsText(4, 0)).toBe("Без тестовых чатов");
  expect(testsText(43, 39)).toBe("Из них в тестовых чатах 39");
  expect(testsText(39, 39)).toBe("Все в тестовых чатах");
});
