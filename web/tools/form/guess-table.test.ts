import { expect, test } from "vitest";
import { guessTable } from "./guess-table.ts";

const nothing = { keyColumn: "", columns: [], channelPhone: "", asked: [] };

test("a table of orders is found by its number, tells its state, and is proven by the phone, which is never shown", () => {
  const columns = ["Номер заказа", "Статус", "Телефон", "Дата доставки", "Заметка"];
  expect(guessTable({ columns }, nothing)).toEqual({
    keyColumn: "Номер заказа",
    columns: ["Статус", "Дата доставки"],
    channelPhone: "Телефон",
    asked: [{ label: "Последние 4 цифры телефона", source: "Телефон", compare: "last4" }],
  });
  expect(guessTable({ columns: ["a", "Номер телефона"] }, nothing)).toMatchObject({ keyColumn: "", columns: [] });
});

test("what was chosen before and is still there stays", () => {
  const before = {
    keyColumn: "Код",
    columns: ["Заметка", "Удалён"],
    channelPhone: "Удалён",
    asked: [{ label: "Фамилия", source: "Фамилия", compare: "exact" as const }],
  };
  expect(guessTable({ columns: ["Номер", "Код", "Статус", "Заметка", "Фамилия"] }, before)).toEqual({
    keyColumn: "Код",
    columns: ["Заметка"],
    channelPhone: "",
    asked: before.asked,
  });
});
