import { expect, test } from "vitest";
import { isDisconnected } from "#web/parts/connection-states.ts";
import { connectionText, messagesOf, nameOf, ShownIntegration, syncText, twinNameOf } from "./shown-integration.ts";

const shown = (fields: Record<string, unknown>) => ShownIntegration.parse(fields);
const names = new Map([["t1", "Анна"]]);

test("an entry without any field is still shown", () => {
  const entry = shown({ id: 7 });
  expect(entry.id).toBe("7");
  expect(nameOf(entry)).toBe("Номер скрыт");
  expect(twinNameOf(entry, names)).toBe("Не указан");
  expect(messagesOf(entry)).toBe(0);
  expect(syncText(entry.lastSync)).toBe("Не указана");
});

test("fields of another type count as missing", () => {
  const entry = shown({ id: "1", config: "нет", messagesImported: "сто", lastSync: 5, digitalTwinName: {} });
  expect(nameOf(entry)).toBe("Номер скрыт");
  expect(messagesOf(entry)).toBe(0);
  expect(syncText(entry.lastSync)).toBe("Не указана");
});

test("the phone number is read from the settings or from the entry itself", () => {
  expect(nameOf(shown({ config: { phoneNumber: "+71" }, phoneNumber: "+72" }))).toBe("+71");
  expect(nameOf(shown({ config: {}, phoneNumber: "+72" }))).toBe("+72");
});

test("a twin's name comes from the response, otherwise from its id, otherwise it is unknown", () => {
  expect(twinNameOf(shown({ digitalTwinName: "Олег", digitalTwinId: "t1" }), names)).toBe("Олег");
  expect(twinNameOf(shown({ digitalTwinId: "t1" }), names)).toBe("Анна");
  expect(twinNameOf(shown({ digitalTwinId: "t2" }), names)).toBe("Неизвестный агент");
});

test("a number that is not told is said to be hidden; what has none is called by its account", () => {
  expect(nameOf(shown({ platform: "telegram", account: "Анна" }))).toBe("Номер скрыт");
  expect(nameOf(shown({ platform: "email", account: "shop@example.ru" }))).toBe("shop@example.ru");
  expect(nameOf(shown({ platform: "telegram", isBot: true, account: "@shop_bot" }))).toBe("@shop_bot");
});

test("a row says why it is disconnected, and whether the server retries automatically", () => {
  expect(connectionText(shown({ connection: "trouble", trouble: "Telegram недоступен" }))).toBe(
    "Telegram недоступен. Сервер пробует снова сам, обычно раз в минуту.",
  );
  expect(connectionText(shown({ connection: "action", statusReason: "Ключ отозван" }))).toBe("Ключ отозван");
  expect(connectionText(shown({ status: "error", statusReason: "Ключ отозван" }))).toBe("Ключ отозван");
  expect(connectionText(shown({ connection: "connected" }))).toBeNull();
});

test("imported messages are shown, and for a bot without imports the handled ones", () => {
  expect(messagesOf(shown({ messagesImported: 7, messagesHandled: 5 }))).toBe(7);
  expect(messagesOf(shown({ messagesImported: 0, messagesHandled: 500 }))).toBe(500);
  expect(messagesOf(shown({ messagesHandled: 5 }))).toBe(5);
});

test("an invalid time is not shown as «Invalid Date»", () => {
  expect(syncText("вчера")).toBe("Не указана");
  expect(syncText("2025-11-20T10:00:00.000Z")).toContain("2025");
});

test("a limitation of a connection is not shown as trouble", () => {
  const entry = shown({ connection: "connected", limitation: "Только отправка: укажите ключ" });
  expect(connectionText(entry)).toBe("Только отправка: укажите ключ");
  expect(isDisconnected(entry)).toBe(false);
});
