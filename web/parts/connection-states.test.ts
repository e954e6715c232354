import { expect, test } from "vitest";
import { connectionState, isDisconnected } from "./connection-states.ts";

test("an integration that is switched on but not served by its platform is not called active", () => {
  expect(connectionState({ status: "active", connection: "connected" }).name).toBe("Активна");
  expect(connectionState({ status: "active", connection: "trouble" }).name).toBe("Нет связи");
  expect(connectionState({ status: "error", connection: "action" }).name).toBe("Нужны вы");
  expect(connectionState({ status: "inactive", connection: "paused" }).name).toBe("Неактивна");
});

test("a fault has one tone, whether the server or the owner must fix it", () => {
  expect(connectionState({ connection: "trouble" }).tone).toBe(connectionState({ connection: "action" }).tone);
});

test("an answer without the connection's state shows its status and the reason given", () => {
  expect(connectionState({ status: "active" }).name).toBe("Активна");
  expect(connectionState({ status: "other" }).name).toBe("Неактивна");
  expect(connectionState({ status: "error" }).name).toBe("Нужны вы");
  expect(connectionState({ status: "active", statusReason: "Ключ отозван" }).name).toBe("Нужны вы");
  expect(isDisconnected({ status: "active", statusReason: "Ключ отозван" })).toBe(true);
  expect(isDisconnected({ status: "inactive" })).toBe(false);
});
