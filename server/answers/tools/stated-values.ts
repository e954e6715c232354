/**
 * Checks the values of a call: each fits its field and stands in the conversation or in an earlier result, whatever its form. So neither a
 * model's guess nor a text that is not the asker's reaches the owner's systems.
 */

import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { phonesIn, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { ActArgument } from "#server/platform/db/schema/tools.ts";
import { formatDate } from "#server/platform/text/date-format.ts";
import { daysSaid } from "./spoken/days.ts";
import { numbersSaid } from "./spoken/numbers.ts";
import { timesSaid } from "./spoken/times.ts";
import type { CallField } from "./tool.ts";

/** A value as a model or a form names it. */
export interface NamedValue {
  name: string;
  value: string;
}

export interface Talk {
  message: string;
  history: readonly HistoryTurn[];
  /** Texts of earlier results of the same turn. */
  results: readonly string[];
  now: Date;
  timeZone: string;
}

export type CheckedValues =
  | { kind: "valid"; values: ActArgument[] }
  /** Labels of what is needed and was not given. */
  | { kind: "missing"; labels: string[] }
  /** Why the call is impossible, in Russian, for a model and the owner. `label`: the field whose value the asker can name. */
  | { kind: "invalid"; reason: string; label?: string };

const LONGEST = 200;
/** Characters of a conversation that are compared. */
const TALK_CHARS = 40_000;

export function checkValues(fields: readonly CallField[], given: readonly NamedValue[], talk: Talk): CheckedValues {
  const known = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  const values = new Map<string, ActArgument>();
  const stated = new Stated(talk);
  for (const { name, value: raw } of given.slice(0, 2 * fields.length + 4)) {
    const value = raw.trim();
    const field = known.get(name.trim().toLowerCase());
    if (field === undefined) return { kind: "invalid", reason: `поля «${name.slice(0, 40)}» у действия нет` };
    if (value === "") continue;
    if (values.has(field.name)) return { kind: "invalid", reason: `поле «${field.label}» названо дважды` };
    const normal = value.length > LONGEST || hasControls(value) ? null : normalized(field, value);
    if (normal === null)
      return { kind: "invalid", reason: `«${field.label}»: такое значение не подходит`, label: field.label };
    if (!stated.has(field, normal))
      return { kind: "invalid", reason: `«${field.label}»: этого собеседник не называл`, label: field.label };
    values.set(field.name, { name: field.name, label: field.label, value: normal });
  }
  const labels = fields.filter(({ name, required }) => required && !values.has(name)).map(({ label }) => label);
  if (labels.length > 0) return { kind: "missing", labels };
  return { kind: "valid", values: fields.flatMap(({ name }) => values.get(name) ?? []) };
}

const hasControls = (text: string): boolean => /[\p{Cc}\p{Cf}]/u.test(text);

/** @returns the value in the one form that is sent; null: it is none of this type */
export function normalized({ type, choices }: Pick<CallField, "type" | "choices">, value: string): string | null {
  switch (type) {
    case "text":
      return value;
    case "number": {
      const number = value.replace(/[\s\u00a0\u202f]/g, "").replace(",", ".");
      return /^-?\d{1,12}(?:\.\d{1,6})?$/.test(number) ? number : null;
    }
    case "phone": {
      const digits = value.replace(/\D/g, "");
      return digits.length >= 5 && digits.length <= 15 && /^[+\d\s().-]+$/.test(value) ? digits : null;
    }
    case "email":
      return /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(value) ? value.toLowerCase() : null;
    case "date":
      return isoDate(value);
    case "time": {
      const [, hours, minutes = "00"] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(value) ?? [];
      if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
      return `${hours.padStart(2, "0")}:${minutes}`;
    }
    case "choice":
      return choices.find((one) => plain(one) === plain(value)) ?? null;
  }
}

/** @returns an ISO date; null: it is none */
export function isoDate(value: string): string | null {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(20\d{2})$/.exec(value) ?? [];
  const iso = year === undefined ? value : `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`;
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(iso)) return null;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso;
}

export const plain = (text: string): string => text.toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();

/** Last digits that two forms of one Russian number share: +7 912 …, 8 912 …, 912 …. */
const PHONE_DIGITS = 10;
export const samePhone = (one: string, other: string): boolean => {
  const [short, long] = [one, other].map((each) => each.replace(/\D/g, "").slice(-PHONE_DIGITS));
  return short !== undefined && short.length === PHONE_DIGITS && short === long;
};

/** What was said in the conversation, and in the results of this turn; each kind of value is read when it is first asked for. */
class Stated {
  readonly #talk: Talk;
  readonly #text: string;
  readonly #words: string[];
  #joined: Set<string> | null = null;
  #numbers: Set<string> | null = null;
  #days: Set<string> | null = null;
  #times: Set<string> | null = null;

  constructor(talk: Talk) {
    this.#talk = talk;
    const { message, history, results } = talk;
    // What a calling program claims was said by nobody who could be asked.
    const turns = history.filter(({ claimed }) => claimed !== true).map(({ content }) => content);
    const said = [...turns, message].join("\n").slice(-TALK_CHARS);
    this.#text = plainLines([said, ...results].join("\n").slice(-TALK_CHARS));
    this.#words = this.#text.match(WORD) ?? [];
  }

  has({ type }: Pick<CallField, "type">, value: string): boolean {
    switch (type) {
      case "text":
        return this.#hasText(plain(value));
      case "number":
        return this.#hasNumber(value) || quantitiesIn(this.#text).some((one) => one.value === Number(value));
      case "phone":
        return (
          phonesIn(this.#text).some(({ digits }) => samePhone(digits, value)) ||
          [...this.#numbersSaid()].some((digits) => digits === value || samePhone(digits, value))
        );
      case "email":
        return this.#text.split(/[\s,;<>()«»"]+/).some((word) => word.replace(/[.!?]$/, "") === value);
      case "date":
        return this.#hasDay(value);
      case "time":
        return this.#hasTime(value);
      case "choice":
        return this.#hasChoice(value);
    }
  }

  /** A text may be an order's number, or a day by which a table is asked. */
  #hasText(value: string): boolean {
    const joined = (value.match(WORD) ?? []).join("");
    if (joined === "") return false;
    if (this.#wordsJoined().has(joined)) return true;
    if (/^\d+$/.test(joined) && this.#hasNumber(joined)) return true;
    const [day, time] = [isoDate(value), normalized({ type: "time", choices: [] }, value)];
    return (day !== null && this.#hasDay(day)) || (time !== null && /[:.]/.test(value) && this.#hasTime(time));
  }

  #hasNumber(value: string): boolean {
    return this.#numbersSaid().has(value);
  }

  #hasDay(iso: string): boolean {
    const { now, timeZone } = this.#talk;
    this.#days ??= daysSaid(this.#text, formatDate(now, "iso", timeZone));
    return this.#days.has(iso);
  }

  #hasTime(time: string): boolean {
    this.#times ??= timesSaid(this.#text);
    return this.#times.has(time);
  }

  /** Each word of the choice in any form: «согласна» is «согласен». */
  #hasChoice(value: string): boolean {
    const named = wordsOf(value);
    const stems = new Set(this.#words.map(stemOf));
    const begins = (word: string) =>
      word.length >= CHOICE_BEGINS && this.#words.some((said) => said.startsWith(word.slice(0, CHOICE_BEGINS)));
    return named.length > 0 && named.every((word) => stems.has(stemOf(word)) || begins(word));
  }

  #numbersSaid(): ReadonlySet<string> {
    this.#numbers ??= numbersSaid(this.#text);
    return this.#numbers;
  }

  /** Words and numbers that stand side by side, joined: «ТБ 412» and «тб-412» are one code, and no value is a part of a longer word. */
  #wordsJoined(): ReadonlySet<string> {
    if (this.#joined !== null) return this.#joined;
    const joined = new Set<string>();
    for (let from = 0; from < this.#words.length; from++) {
      let text = "";
      for (const word of this.#words.slice(from, from + MOST_WORDS)) {
        text += word;
        if (text.length > LONGEST) break;
        joined.add(text);
      }
    }
    this.#joined = joined;
    return joined;
  }
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Words of one value. */
const MOST_WORDS = 24;
/** Letters at a choice's beginning that forms of one word share. */
const CHOICE_BEGINS = 6;

/** As `plain`, with the line breaks, which part what is said. */
const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");
