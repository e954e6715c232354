import { expect, test } from "vitest";
import type { LocalModel } from "#contract/models/local-models.ts";
import { progressOf, remainingTimeText, speedOf } from "./words.ts";

const model = (over: Partial<LocalModel>): LocalModel => ({
  id: "1",
  kind: "chat",
  name: "Qwen3",
  catalogueId: "qwen3",
  state: "downloading",
  problem: null,
  resumable: false,
  bytes: 1024 ** 3,
  received: 1024 ** 3 / 4,
  bytesPerSecond: 1024 ** 2,
  memoryBytes: null,
  allowed: false,
  chosen: false,
  wanted: false,
  organizations: 0,
  afterRestart: false,
  ...over,
});
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("a download shows its progress, its speed and the remaining time", () => {
  expect(plain(progressOf(model({})))).toBe("Скачано 25%: 256 МБ из 1 ГБ · 1 МБ/с · осталось около 13 мин");
  expect(plain(progressOf(model({ bytesPerSecond: null })))).toBe("Скачано 25%: 256 МБ из 1 ГБ");
  expect(plain(progressOf(model({ state: "paused" })))).toBe("Приостановлено на 25%: 256 МБ из 1 ГБ");
  expect(progressOf(model({ bytes: null }))).toBe("Узнаём размер файла");
  expect(progressOf(model({ received: 1024 ** 3 }))).toBe("Проверяем файл");
});

test.each([
  [20, "осталось меньше минуты"],
  [60, "осталось около 1 мин"],
  [3540, "осталось около 59 мин"],
  [9000, "осталось около 2,5 ч"],
])("%i s are formatted in everyday words", (seconds, said) => {
  expect(remainingTimeText(seconds)).toBe(said);
});

test("the speed of answers is shown only for models whose shape was measured", () => {
  expect(speedOf("qwen3-1.7b")).toContain("обычно через 2–3 с, в новом диалоге до 15 с");
  expect(speedOf("t-lite-it-2.1")).toBe("Скорость этой модели мы не измеряли");
});
