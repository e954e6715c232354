import { expect, test } from "vitest";
import { connectionState, listBadge } from "./connection-states.ts";

test("an integration that is switched on but not served by its platform is not called active", () => {
  expect(connectionState({ status: "active", connection: "connected" }).name).toBe("Активна");
  expect(connectionState({ status: "active", connection: "trouble" }).name).toBe("Нет связи");
  expect(connectionState({ status: "error", connection: "action" }).name).toBe("Нужны вы");
  expect(connectionState({ status: "inactive", connection: "paused" }).name).toBe("Неактивна");
});

test("an answer that says nothing of the connection is active or inactive, and red where it gives a reason", () => {
  expect(connectionState({ status: "active" })).toEqual({ name: "Активна", tone: "success" });
  expect(connectionState({ status: "other" })).toEqual({ name: "Неактивна", tone: "neutral" });
  expect(connectionState({ status: "active", statusReason: "Ключ отозван" })).toEqual({
    name: "Неактивна",
    tone: "danger",
  });
});

test("the badge of a list says «Активна» or «Неактивна» alone, and its colour that something is amiss", () => {
  expect(listBadge({ status: "active", connection: "connecting" })).toEqual({ name: "Активна", tone: "success" });
  expect(listBadge({ status: "active", connection: "trouble" })).toEqual({ name: "Неактивна", tone: "warning" });
  expect(listBadge({ status: "error", connection: "action" })).toEqual({ name: "Неактивна", tone: "danger" });
  expect(listBadge({ status: "inactive", connection: "paused" })).toEqual({ name: "Неактивна", tone: "neutral" });
});
