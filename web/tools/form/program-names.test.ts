import { expect, test } from "vitest";
import { isProgramName, isProgramTitle, russian } from "./program-names.ts";

test.each([
  ["status", "order.status", true],
  ["order id", "order_id", true],
  ["Статус", "order.status", false],
  ["SKU", "SKU", false],
  ["E-mail", "email", false],
])("the label %s of %s is the program's own: %s", (label, name, expected) => {
  expect(isProgramName(label, name)).toBe(expected);
});

test.each([
  ["createBookingV2", true],
  ["get_order", true],
  ["GET /orders", true],
  ["Состояние order", false],
  ["Telegram", false],
])("the title %s is the name of a call: %s", (title, expected) => {
  expect(isProgramTitle(title)).toBe(expected);
});

test("a text of another language is left out", () => {
  expect([russian("Returns an order"), russian("Заказ (order)")]).toEqual(["", "Заказ (order)"]);
});
