import { expect, test } from "vitest";
import { newTelegramState, readTelegramReturn, telegramReturnUrl } from "./telegram-return.ts";

test("of the parameters in the widget's return URL only the signed fields are used", () => {
  const url = telegramReturnUrl("https://twins.example", "?return=%2Ftwins%3Fq%3D1", "abc");
  // The widget appends its fields this way.
  const { search } = new URL(`${url}&id=42&first_name=%D0%98%D1%80%D0%B0&auth_date=1700000000&new_field=1&hash=ff`);
  expect(readTelegramReturn(search)).toEqual({
    payload: { id: "42", first_name: "Ира", auth_date: "1700000000", new_field: "1", hash: "ff" },
    state: "abc",
    address: "/login?return=%2Ftwins%3Fq%3D1",
  });
});

test("a return URL of another site is dropped", () => {
  expect(telegramReturnUrl("https://twins.example", "?return=//evil.example", "abc")).toBe(
    "https://twins.example/login?telegram_state=abc",
  );
});

test.each(["", "?return=/twins", "?id=42&hash=ff", "?telegram_state=abc&id=42", "?telegram_state=abc&hash=ff"])(
  "an ordinary visit to /login%s brings nothing from Telegram",
  (search) => {
    expect(readTelegramReturn(search)).toBeUndefined();
  },
);

test("each tab uses its own random value", () => {
  expect(newTelegramState()).toMatch(/^[0-9a-f]{32}$/);
  expect(newTelegramState()).not.toBe(newTelegramState());
});
