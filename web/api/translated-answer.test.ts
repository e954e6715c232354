import { expect, test, vi } from "vitest";
import { translateAnswer, valuesOf } from "./translated-answer.ts";

vi.mock("#web/i18n/server-sentences.ts", () => ({
  sentences: {
    "Двойник не найден": "Twin not found",
    "Сервер {0} не ответил: {1}": "{0} did not answer: {1}",
    "он занят ответами": "it is busy",
    "{0} из {1}": "{0} of {1}",
    "занято {0} из {1}": "{0} of {1} in use",
    "ждут {0}, старшее ждёт {1}": "{0} waiting, oldest for {1}",
    "ждут {0}": "{0} waiting",
    "{0} ГБ": "{0} GB",
    "{0} с": "{0} s",
    "Создан двойник «{0}»": "Twin “{0}” created",
    "Отвечает двойник «{0}».": "The twin “{0}” answers.",
    "Напишите нам": "Write to us",
    "Подождите. Он освободится": "Wait. It will be free",
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

test("a twin's name stays as its owner has written it, even where it is a sentence of ours", async () => {
  const name = "Напишите нам";
  const entry = { twinName: name, description: `Создан двойник «${name}»` };
  expect(await translated([entry], false, "/api/activity/recent")).toEqual([
    { twinName: name, description: "Twin “Напишите нам” created" },
  ]);
  // Whether the title is the server's own or a name is unknown, so only a whole sentence counts as the server's.
  const face = { title: `${name}, поддержка`, disclosure: `Отвечает двойник «${name}».` };
  expect(await translated(face, false, "/widget/1/face")).toEqual({
    title: face.title,
    disclosure: "The twin “Напишите нам” answers.",
  });
});

test("an integration's journal is worded by the server alone", async () => {
  expect(await translated([{ text: "Двойник не найден" }], false, "/api/integrations/1/events")).toEqual([
    { text: "Twin not found" },
  ]);
});

test("consecutive sentences of the server are translated one by one, or stay unchanged", async () => {
  const about = async (text: string) => (await translated([{ about: text }], false, "/api/admin/models"))[0].about;
  expect(await about("Двойник не найден. он занят ответами, 127.0.0.1.")).toBe(
    "Twin not found. it is busy, 127.0.0.1.",
  );
  expect(await about("Двойник не найден. Иначе")).toBe("Двойник не найден. Иначе");
  expect(await about("Двойник не найден. Подождите. Он освободится.")).toBe("Twin not found. Wait. It will be free.");
});

test("a figure of the server's state is translated with its unit, whichever sentence it stands in", async () => {
  const value = async (text: string) => (await translated({ value: text }, false, "/api/admin/health")).value;
  expect(await value("занято 1 из 4")).toBe("1 of 4 in use");
  expect(await value("0,5 ГБ из 2 ГБ")).toBe("0,5 GB of 2 GB");
  expect(await value("ждут 2, старшее ждёт 9 с")).toBe("2 waiting, oldest for 9 s");
  expect(await value("64,7 ГБ (26 %)")).toBe("64,7 GB (26 %)");
});

test("a response that is not JSON is passed on unchanged", async () => {
  expect(await translateAnswer("<p>Ошибка", "/api/x", true)).toBe("<p>Ошибка");
});

test("the values of a template are what stands between its pieces", () => {
  expect(valuesOf("ждут 3, выполняются 4", ["ждут ", ", выполняются ", ""])).toEqual(["3", "4"]);
  expect(valuesOf("ждут 3", ["ждут ", ", выполняются ", ""])).toBeNull();
  expect(valuesOf("аба", ["аб", "ба"])).toBeNull();
});
