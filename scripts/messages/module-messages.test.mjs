/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code of other files stands in texts */
import { expect, test } from "vitest";
import { messagesOf, translateModule } from "./module-messages.mjs";
import { translatePage, translateStyles } from "./page-messages.mjs";

/** @param {string} code @param {Record<string, string>} texts */
const inEnglish = (code, texts, file = "web/a.tsx") => translateModule(file, code, (text) => texts[text]);

test("a text becomes the catalogue's, and the code around it stays as it is", () => {
  expect(inEnglish('toast({ title: "Готово", id: "done" });', { Готово: "Done" })).toBe(
    'toast({ title: "Done", id: "done" });',
  );
});

test("a sentence with values is one message, whose places may change their order", () => {
  const code = "const t = `Ждут ${plural(n, f)} из ${all}.`;";
  expect(messagesOf("web/a.ts", code)).toEqual(["Ждут {0} из {1}."]);
  expect(inEnglish(code, { "Ждут {0} из {1}.": "Of {1}, {0} wait." })).toBe(
    "const t = `Of ${all}, ${plural(n, f)} wait.`;",
  );
});

test("what is put together by «+» is one message", () => {
  const code = 'const t = "Удалить " + name + `? Это ${when}` + " навсегда.";';
  expect(messagesOf("web/a.ts", code)).toEqual(["Удалить {0}? Это {1} навсегда."]);
  expect(inEnglish(code, { "Удалить {0}? Это {1} навсегда.": "Delete {0} {1}?" })).toBe(
    "const t = `Delete ${name} ${when}?`;",
  );
});

test("the children of an element are one message; a link in the middle keeps its own text, an icon at the end stands apart", () => {
  const code = `<p>
    <Icon />
    Прочтите{" "}
    <a href="/x">условия</a> и нажмите {key}.
  </p>`;
  expect(messagesOf("web/a.tsx", code)).toEqual(["Прочтите {0} и нажмите {1}.", "условия"]);
  const english = inEnglish(code, { "Прочтите {0} и нажмите {1}.": "Press {1} after {0}.", условия: "the terms" });
  expect(english.replace(/\s+/g, " ")).toBe(
    '<p> <Icon />{"Press "}{key}{" after "}<a href="/x">{"the terms"}</a>{"."}</p>',
  );
});

test("what only some readers see within a sentence is translated too", () => {
  const code = "<b>{`Найдено ${n}${more ? `, из них ${more} новых` : ''}`}</b>";
  expect(messagesOf("web/a.tsx", code)).toEqual(["Найдено {0}{1}", ", из них {0} новых"]);
});

test("the forms of a counted word are one message and become two", () => {
  const code = 'plural(n, ["диалог", "диалога", "диалогов"])';
  expect(messagesOf("web/a.ts", code)).toEqual(["диалог | диалога | диалогов"]);
  expect(inEnglish(code, { "диалог | диалога | диалогов": "conversation | conversations" })).toBe(
    'plural(n, ["conversation","conversations","conversations"])',
  );
});

test("attributes are translated, and Russian is no longer marked as Russian", () => {
  const texts = { "ru-RU": "en-GB", Закрыть: "Close" };
  expect(inEnglish('<i lang="ru" title="Закрыть" />', texts)).toBe('<i lang="en" title={"Close"} />');
});

test("data, types, expressions and what is looked for in a text stay as they are", () => {
  for (const code of [
    'const tone: "ты" | "вы" = "вы";',
    'type Word = "слово";',
    "const yo = /[ё]/u;",
    'text.replaceAll("ё", "е");',
    'new Set(["спасибо"]);',
    "const parts = `(?<half>[ДдПп][Пп])`;",
  ]) {
    expect(messagesOf("web/a.ts", code), code).toEqual([]);
  }
});

test("the contract's summary of a call is for the API's document, and a summary elsewhere is shown", () => {
  const code = 'const shown = { summary: "Места мало" };';
  expect(messagesOf("contract/a.ts", code)).toEqual([]);
  expect(messagesOf("server/operations/health/a.ts", code)).toEqual(["Места мало"]);
});

test("a translation with a place that the sources do not have ends the build", () => {
  expect(() => inEnglish("const t = `Из ${n}`;", { "Из {0}": "Of {0} and {1}" })).toThrow(/place \{1\}/);
});

test("quotes, backslashes and dollars of a translation are no code", () => {
  const code = inEnglish("const t = `Да ${n}`;", { "Да {0}": "`${x}` \\ {0}" });
  expect(new Function("n", `${code} return t;`)(1)).toBe("`${x}` \\ 1");
});

test("a page, and what a style sheet puts beside a figure, are translated", () => {
  const translate = (/** @type {string} */ text) => ({ Чат: "Chat", Пример: "Sample" })[text];
  expect(translatePage('<html lang="ru"><title>Чат</title>', translate, "en")).toBe(
    '<html lang="en"><title>Chat</title>',
  );
  expect(translateStyles(".x\\:\\[\\'Пример\\'\\]{--tw-content:'Пример';}", translate)).toBe(
    ".x\\:\\[\\'Пример\\'\\]{--tw-content:'Sample';}",
  );
});
