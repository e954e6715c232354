import { expect, test, vi } from "vitest";
import { translateAnswer, valuesOf } from "./translated-answer.ts";

vi.mock("#web/i18n/server-sentences.ts", () => ({
  sentences: {
    "Двойник не найден": "Twin not found",
    "Сервер {0} не ответил: {1}": "{0} did not answer: {1}",
    "он занят ответами": "it is busy",
  },
}));

const translated = async (body: unknown, refused = false, url = "/api/twins") =>
  JSON.parse(await translateAnswer(JSON.stringify(body), url, refused));

test("a refusal is in the language of the page, with what the sentence names", async () => {
  expect(await translated({ message: "Двойник не найден", fields: { id: "Двойник не найден" } }, true)).toEqual({
    message: "Twin not found",
    fields: { id: "Twin not found" },
  });
  expect(await translated({ message: "Сервер Анны не ответил: он занят ответами" }, true)).toEqual({
    message: "Анны did not answer: it is busy",
  });
});

test("a sentence that no catalogue has stays as the server said it", async () => {
  expect(await translated({ message: "Новое" }, true)).toEqual({ message: "Новое" });
});

test("what people have written is theirs, even where it is a sentence of ours", async () => {
  const message = { content: "Двойник не найден", name: "Двойник не найден", text: "Двойник не найден" };
  expect(await translated([message])).toEqual([message]);
  expect(await translated({ failure: "Двойник не найден" })).toEqual({ failure: "Twin not found" });
});

test("an integration's journal is worded by the server alone", async () => {
  expect(await translated([{ text: "Двойник не найден" }], false, "/api/integrations/1/events")).toEqual([
    { text: "Twin not found" },
  ]);
});

test("sentences that the server sets one after another are known each by itself, or stay as they came", async () => {
  const about = async (text: string) => (await translated([{ about: text }], false, "/api/admin/models"))[0].about;
  expect(await about("Двойник не найден. он занят ответами, 127.0.0.1.")).toBe(
    "Twin not found. it is busy, 127.0.0.1.",
  );
  expect(await about("Двойник не найден. Иначе")).toBe("Двойник не найден. Иначе");
});

test("what is no JSON is left to whoever reads it", async () => {
  expect(await translateAnswer("<p>Ошибка", "/api/x", true)).toBe("<p>Ошибка");
});

test("the values of a template are what stands between its pieces", () => {
  expect(valuesOf("ждут 3, выполняются 4", ["ждут ", ", выполняются ", ""])).toEqual(["3", "4"]);
  expect(valuesOf("ждут 3", ["ждут ", ", выполняются ", ""])).toBeNull();
  expect(valuesOf("аба", ["аб", "ба"])).toBeNull();
});
