/**
 * Checks the values of a call: each fits its field and stands in the conversation or in an earlier result, whatever its form. So neither a
 * model's guess nor a text that is not the asker's reaches the owner's systems.
 */
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { phonesIn, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { ActArgument } from "#server/platform/db/schema/tools.ts";
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
  /** Why the call is impossible, in Russian, for a model and the owner. */
  | { kind: "invalid"; reason: string };

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
    if (normal === null) return { kind: "invalid", reason: `«${field.label}»: такое значение не подходит` };
    if (!stated.has(field, normal)) return { kind: "invalid", reason: `«${field.label}»: этого собеседник не называл` };
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

function isoDate(value: string): string | null {
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

/** What was said in the conversation, and in the results of this turn. */
class Stated {
  readonly #text: string;
  readonly #tight: string;
  readonly #talk: Talk;
  readonly #said: string;

  constructor(talk: Talk) {
    this.#talk = talk;
    const { message, history, results } = talk;
    // What a calling program claims was said by nobody who could be asked.
    const turns = history.filter(({ claimed }) => claimed !== true).map(({ content }) => content);
    this.#said = [...turns, message].join("\n").slice(-TALK_CHARS);
    this.#text = plain([this.#said, ...results].join("\n").slice(-TALK_CHARS));
    this.#tight = ` ${tokensOf(this.#text)} `;
  }

  has(field: CallField, value: string): boolean {
    switch (field.type) {
      case "text": {
        const tokens = tokensOf(plain(value));
        return tokens !== "" && this.#tight.includes(` ${tokens} `);
      }
      case "number":
        return (
          quantitiesIn(this.#text).some((one) => one.value === Number(value)) || this.#tight.includes(` ${value} `)
        );
      case "phone":
        return (
          phonesIn(this.#text).some(({ digits }) => samePhone(digits, value) || digits === value) ||
          this.#tight.includes(` ${value} `)
        );
      case "email":
        return this.#text.split(/[\s,;<>()«»"]+/).some((word) => word.replace(/[.!?]$/, "") === value);
      case "date":
        return wordsForDate(value, this.#talk).some((words) => this.#tight.includes(` ${words} `));
      case "time": {
        const [hours, minutes] = value.split(":").map(Number) as [number, number];
        const forms = minutes === 0 ? [`${hours} 00`, `в ${hours}`, `на ${hours}`, `к ${hours}`] : [];
        if (minutes === 0 && hours > 12)
          forms.push(...["дня", "вечера"].map((part) => `${hours - 12} ${part}`), `${hours - 12} часа дня`);
        if (minutes === 0 && hours <= 12) forms.push(`${hours} утра`, `${hours} часов`);
        return [...forms, `${hours} ${String(minutes).padStart(2, "0")}`, value.replace(":", " ")].some((form) =>
          this.#tight.includes(` ${form} `),
        );
      }
      case "choice": {
        const stems = new Set(wordsOf(this.#text).map(stemOf));
        const named = wordsOf(value).map(stemOf);
        return named.length > 0 && named.every((stem) => stems.has(stem));
      }
    }
  }
}

/** Words and numbers with single spaces between them, so that a value cannot be a part of a longer one. */
const tokensOf = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

const WEEK = [
  ["воскресенье", "вс"],
  ["понедельник", "пн"],
  ["вторник", "вт"],
  ["среда", "среду", "ср"],
  ["четверг", "чт"],
  ["пятница", "пятницу", "пт"],
  ["суббота", "субботу", "сб"],
];
const MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(" ");
const NEAR = ["сегодня", "завтра", "послезавтра"];
const DAY_MS = 86_400_000;

/** How people name this day now. */
function wordsForDate(iso: string, { now, timeZone }: Pick<Talk, "now" | "timeZone">): string[] {
  const [year, month, day] = iso.split("-").map(Number) as [number, number, number];
  const [d, m] = [String(day), String(month).padStart(2, "0")];
  const two = d.padStart(2, "0");
  const forms = [`${d} ${MONTHS[month - 1]}`, `${two} ${m}`, `${d} ${m}`, `${two} ${m} ${year}`, `${d} ${m} ${year}`];
  forms.push(iso.replaceAll("-", " "));
  const today = new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
  const ahead = Math.round((Date.parse(iso) - Date.parse(today)) / DAY_MS);
  if (ahead >= 0 && ahead < NEAR.length) forms.push(NEAR[ahead]!);
  // A day of the week names the next such day.
  if (ahead >= 0 && ahead < 7) forms.push(...WEEK[new Date(`${iso}T00:00:00Z`).getUTCDay()]!);
  return forms;
}
