import { expect, test } from "vitest";
import { dayOf } from "./date-input.tsx";

test("a day is read as it is written here, and only when it is whole and exists", () => {
  expect(dayOf("05.11.2026")).toBe("2026-11-05");
  expect(dayOf(" 5.1.2026 ")).toBe("2026-01-05");
  for (const text of ["", "05.11", "05.11.26", "31.02.2026", "00.01.2026", "2026-11-05"]) expect(dayOf(text)).toBe("");
});
