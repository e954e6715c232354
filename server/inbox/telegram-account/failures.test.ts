import { expect, test } from "vitest";
import { endedSession, floodSeconds, isDialogGone, loginRefusal, undeliverable, waitWords } from "./failures.ts";

const rpc = (text: string, code = 400, more: object = {}) => Object.assign(new Error(text), { text, code, ...more });

test("the wait is what Telegram says, in the field or in the text, else a minute; other errors ask for none", () => {
  expect(floodSeconds(rpc("FLOOD_WAIT_%d", 420, { seconds: 7 }))).toBe(7);
  expect(floodSeconds(rpc("SLOWMODE_WAIT_30", 420))).toBe(30);
  expect(floodSeconds(rpc("FLOOD", 420))).toBe(60);
  expect(floodSeconds(rpc("PEER_FLOOD"))).toBeNull();
  expect(floodSeconds(new Error("FLOOD_WAIT_7"))).toBeNull();
});

test.each([
  [1, "1 секунду"],
  [42, "42 секунды"],
  [119, "119 секунд"],
  [120, "2 минуты"],
  [1201, "21 минуту"],
  [7200, "2 часа"],
  [18_001, "6 часов"],
])("%i seconds are said as «%s»", (seconds, words) => {
  expect(waitWords(seconds)).toBe(words);
});

test("an ended session asks to sign in again, also while signing in; what is unknown or no answer of Telegram is not worded", () => {
  expect(endedSession(rpc("SESSION_REVOKED", 401))).toMatch(/^Сеанс завершён в настройках Telegram\. Войдите/);
  expect(loginRefusal(rpc("SESSION_REVOKED", 401))).toBe(endedSession(rpc("SESSION_REVOKED", 401)));
  expect(loginRefusal(rpc("PHONE_NUMBER_BANNED"))).toMatch(/заблокировал этот номер/);
  expect(undeliverable(rpc("USER_IS_BLOCKED"))).toBe("Собеседник заблокировал вас");
  for (const word of [endedSession, loginRefusal, undeliverable]) {
    expect(word(rpc("RPC_CALL_FAIL", 500))).toBeNull();
    expect(word(new Error("SESSION_REVOKED"))).toBeNull();
  }
});

test("a dialog is gone only when Telegram says so", () => {
  expect(isDialogGone(rpc("CHANNEL_PRIVATE"))).toBe(true);
  expect(isDialogGone(rpc("FLOOD_WAIT_%d", 420))).toBe(false);
  expect(isDialogGone(new Error("CHANNEL_PRIVATE"))).toBe(false);
  expect(isDialogGone(null)).toBe(false);
});
