import { expect, test } from "vitest";
import { valuesOf } from "../form-values.ts";
import { placeName, remainingFaults, valueAt } from "./placed-faults.ts";

const values = valuesOf(undefined);
const ours = (place: string, message = "Введите") => ({ place, message, refused: null });
const said = (place: string) => ({ place, message: "Не подходит", refused: valueAt(values, place) });

test("a fault goes once it is mended, in whatever field, and no new one is added", () => {
  const placed = [ours("title"), ours("description")];
  // An example mends what stood at the description.
  expect(remainingFaults(placed, [ours("title"), ours("fields.0.label")], values)).toEqual([ours("title")]);
  expect(remainingFaults(placed, [ours("title", "Длиннее 80 символов"), ours("description")], values)).toEqual([
    ours("title", "Длиннее 80 символов"),
    ours("description"),
  ]);
});

test("what only the server refuses stays until its own field is changed", () => {
  const placed = [said("url"), said("calendar.calendarUrl")];
  expect(remainingFaults(placed, [], { ...values, title: "Заказ" })).toEqual(placed);
  expect(remainingFaults(placed, [], { ...values, url: "https://example.ru" })).toEqual([placed[1]]);
  const calendar = { ...values.calendar, calendarUrl: "https://example.ru/work/" };
  expect(remainingFaults(placed, [], { ...values, calendar })).toEqual([placed[0]]);
});

test("fields that lack the same are told apart by their names", () => {
  const places = [
    { path: "data.order.status", label: "" },
    { path: "data.price", label: "price" },
  ];
  const asked = [{ label: "", source: "", compare: "exact" as const }];
  const names = ["title", "places.0.label", "places.1.label", "asked.0.label", "calendar.calendarUrl"].map((place) =>
    placeName(place, { ...values, places, asked }),
  );
  expect(names).toEqual(["само действие", "значение data.order.status", "значение price", "вопрос 1", "календарь"]);
});
