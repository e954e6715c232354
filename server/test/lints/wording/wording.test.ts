import { describe, expect, test } from "vitest";
import {
  AGENT_CATALOGUE,
  CALL_SUMMARIES,
  FORMAT_NAMES,
  NAMED_AS_THE_USER_MEETS_IT,
  OPERATORS_AND_PROGRAMMERS,
  SPECIFIED_AGENTS,
} from "./exceptions.ts";
import { allSentences, type Sentence, sentencesOf } from "./find-sentences.ts";

/** Says why a text is not to be shown; null where nothing is wrong with it. */
type Rule = (sentence: Sentence) => boolean;

const isAgent: Rule = ({ file, text }) =>
  /агент/i.test(text) && !SPECIFIED_AGENTS.has(text) && !AGENT_CATALOGUE.test(file);

const isShortDash: Rule = ({ text }) => /(?:^|\s)–(?:\s|$)/.test(text);

const hasWrongQuotes: Rule = ({ text }) => /«[^»]*«|[а-яё]"|"[а-яё]/i.test(text) && !/[<{]/.test(text);

const OPERATORS_WORDS =
  /договору|контракт|JSON|\bHTTP\b|SMTP|multipart|журнал\p{L}* сервера|не\sнастроен|тот, кто запустил|\b[A-Z]{3,}_[A-Z]{3,}|код(?:ом)? [45]\d\d/u;

const isOperators: Rule = ({ file, text }) =>
  OPERATORS_WORDS.test(text) &&
  !OPERATORS_AND_PROGRAMMERS.test(file) &&
  !NAMED_AS_THE_USER_MEETS_IT.has(text) &&
  !CALL_SUMMARIES.has(text) &&
  !FORMAT_NAMES.test(text);

const sentences = allSentences();
const refused = (rule: Rule) => sentences.filter(rule).map(({ file, line, text }) => `${file}:${line} ${text}`);

describe("the texts of screens and of answers", () => {
  test("are found", () => {
    expect(sentences.length).toBeGreaterThan(3000);
    for (const text of ["Создать Агента", "Войти по email", "Агент не найден"]) {
      expect(
        sentences.some((one) => one.text === text),
        text,
      ).toBe(true);
    }
  });

  test("say «двойник» wherever the specification has no «агент»", () => {
    expect(refused(isAgent)).toEqual([]);
  });

  test("have a long dash between words", () => {
    expect(refused(isShortDash)).toEqual([]);
  });

  test("have «» for quotes and „“ within them", () => {
    expect(refused(hasWrongQuotes)).toEqual([]);
  });

  test("use no words of the server's operator or of programmers", () => {
    expect(refused(isOperators)).toEqual([]);
  });

  test("need every exception that is named", () => {
    const all = new Set(sentences.map(({ text }) => text));
    for (const text of [...SPECIFIED_AGENTS, ...NAMED_AS_THE_USER_MEETS_IT, ...CALL_SUMMARIES]) {
      expect(all.has(text), text).toBe(true);
    }
  });
});

test.each<[Rule, string]>([
  [isAgent, 'const a = "Имя агента";'],
  [isShortDash, "const a = `Двойник – программа`;"],
  [isShortDash, "const a = <p>Примеры на&nbsp;Python –{b}</p>;"],
  [hasWrongQuotes, 'const a = "Диалог «Чат «Семья»» удалён";'],
  [isOperators, "const a = <p>Почта на&nbsp;этом сервере не&nbsp;настроена</p>;"],
  [isOperators, 'const a = "Ответ не соответствует договору";'],
  [isOperators, 'const a = "Задайте SMTP_URL и повторите";'],
])("%o refuses %s", (rule, code) => {
  expect(sentencesOf("web/some/page.tsx", code).some(rule)).toBe(true);
});
