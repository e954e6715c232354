// What an answer is worth to its asker. Facts are matched by their spellings, without any human judgement.
import type { Question } from "./questions.ts";

/**
 * right: says every fact; for what is absent, a complaint or small talk: the fit reply. quoted: the facts stand in a chunk that is
 * quoted as such; beside: in what is quoted they do not stand. partly: some of several facts. wrong: something else, as a fact. honest: admits that it does not know.
 * silent: neither, «Понятно».
 */
export const VERDICTS = ["right", "quoted", "partly", "beside", "honest", "silent", "wrong"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** «не знаю», «уточню», «передам»: an answer with such words has stated nothing. */
const ADMITS =
  /не зна[юе]|не могу (?:точно )?сказать|не подскаж|уточн[юи]|уточним|спрошу|узнаю|выясн|не в курсе|нет (?:такой |точной )?(?:информаци|данных|сведени)|не указан|не сказано|не нашл|не нашёл|свяж(?:у|ем)|перед(?:ам|ал|ади)|не назов[уе]|ответит сам|посмотрю и|проверю|без понятия|хз|отвечу лично/u;
/** Words of a suitable reaction to a complaint: regret, or a human who takes over. */
const MEETS =
  /извин|прост(?:и|ите)(?!\p{L})|сожале|соболезн|прискорб|жаль|перед(?:ам|ал|ади)|свяж(?:у|ем|ут)|разбер|сотрудник|владел|уточн|перезвон|реш(?:им|у)|исправ|переделаем|вернём|вернем|держитесь|сочувств|лично/u;
/** Acknowledgements and greetings, which state nothing. */
const NOTES =
  /^(?:понятно|понял|поняла|принято|хорошо|ок|окей|ладно|ага|угу|ясно|спасибо|да|здравствуйте|добрый день|привет)[\s.!,)]*$/u;
/** Words before a chunk that is quoted as such. */
const QUOTES = /(?:сказано|написано|указано|нашёл|нашел|вот что|цитирую)[^«„]{0,40}[«„:]/u;

export function verdictOf({ kind, facts, never }: Question, answer: string): Verdict {
  const said = plain(answer);
  const admits = ADMITS.test(said);
  if (NOTES.test(said.trim()) || said.trim() === "") return kind === "smalltalk" ? "right" : "silent";
  if (kind === "complaint") return MEETS.test(said) ? "right" : "wrong";
  const quotes = QUOTES.test(said);
  if (kind === "smalltalk") return admits || quotes ? "wrong" : "right";
  if (kind === "absent") return quotes ? "beside" : admits ? "honest" : "wrong";
  const held = facts.filter((spellings) => spellings.some((spelling) => holds(said, plain(spelling)))).length;
  if (never.some((spelling) => holds(said, plain(spelling))) && !quotes) return "wrong";
  if (held === facts.length) return quotes ? "quoted" : "right";
  if (quotes) return "beside";
  if (admits) return "honest";
  return held > 0 && facts.length > 1 ? "partly" : "wrong";
}

/** Whether a text holds a spelling, both `plain`. A number is met only whole: 50 does not stand in 150. */
export function holds(text: string, spelling: string): boolean {
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    const before = text[at - 1] ?? "";
    const after = text[at + spelling.length] ?? "";
    const cutBefore = /^\d/.test(spelling) && /\d/.test(before);
    const cutAfter = /\d$/.test(spelling) && /\d/.test(after);
    if (!cutBefore && !cutAfter) return true;
  }
  return false;
}

/** Lower case, one kind of space, dash and ё; the digits of one number together. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[–—−]/g, "-")
    .replace(/\s+/g, " ")
    .replace(/(\d) (?=\d{3}(?!\d))/g, "$1");
