import { describe, expect, test } from "vitest";
import { findTwins, twinFigures } from "./twin-figures.ts";

const now = Date.parse("2026-05-31T12:00:00Z");
const twin = (isActive: boolean, createdAt: string) => ({ isActive, createdAt });

describe("the stat cards", () => {
  test("count all, active, paused and those of the last 30 days", () => {
    const twins = [
      twin(true, "2026-05-31T11:00:00Z"),
      twin(false, "2026-05-01T12:00:00Z"),
      twin(true, "2026-05-01T11:59:59Z"),
    ];
    expect(twinFigures(twins, now)).toEqual({ total: 3, active: 2, inactive: 1, thisMonth: 2 });
  });

  test("are zeros without twins", () => {
    expect(twinFigures([], now)).toEqual({ total: 0, active: 0, inactive: 0, thisMonth: 0 });
  });
});

describe("the search", () => {
  const twins = [
    { name: "Анна Петрова", description: "Отвечает клиентам чайной лавки" },
    { name: "Пётр", description: "Первая линия поддержки" },
  ];

  test("finds words of the name and of the description in any order and case", () => {
    expect(findTwins(twins, "лавки  АННА")).toEqual([twins[0]]);
  });

  test("treats «е» and «ё» as equal", () => {
    expect(findTwins(twins, "петр")).toEqual(twins);
    expect(findTwins(twins, "пётр поддержк")).toEqual([twins[1]]);
  });

  test("shows all twins for a blank query and none for an unknown word", () => {
    expect(findTwins(twins, "  ")).toEqual(twins);
    expect(findTwins(twins, "анна юрист")).toEqual([]);
  });
});
