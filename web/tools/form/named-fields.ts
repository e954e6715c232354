/** Fields that a question or an address names in braces. A name in Cyrillic stands for its transliteration, and is what people read. */
import { TOOL_FIELDS_LIMIT, type ToolFieldType } from "#contract/actions/tool-settings.ts";

export interface FieldValues {
  name: string;
  label: string;
  type: ToolFieldType;
  required: boolean;
  description: string;
  /** Of a `choice`, one a line. */
  choices: string;
}

const IN_BRACES = /\{([^{}]{1,60})\}/gu;
const NAME = /^[a-z][a-z0-9_]{0,39}$/i;

/** From «а» to «я»; «ё» stands apart from them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sch  y  e yu ya"
      .split(" ")
      .map((latin, at) => [String.fromCharCode(0x430 + at), latin]),
  ),
  "\u0451": "e",
};

/** «Сорт кофе» as a name of a field, `sort_kofe`. @returns null where nothing is left that may be a name */
export function fieldNameOf(word: string): string | null {
  if (NAME.test(word)) return word;
  const name = [...word.trim().toLocaleLowerCase("ru")]
    .map((letter) => LETTERS[letter] ?? letter)
    .join("")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40);
  return name === "" ? null : name;
}

/** The text with the names of fields in its braces, as it is stored: «Есть ли {sort}?». */
export const withNames = (text: string): string =>
  text.replace(IN_BRACES, (whole, word: string) => {
    const name = fieldNameOf(word);
    return name === null ? whole : `{${name}}`;
  });

/** The text with the words of people in its braces, where a name is made of them: «Есть ли {сорт}?». */
export const withWords = (text: string, fields: readonly Pick<FieldValues, "name" | "label">[]): string =>
  text.replace(IN_BRACES, (whole, name: string) => {
    const word =
      fields
        .find((field) => field.name === name)
        ?.label.trim()
        .toLocaleLowerCase("ru") ?? "";
    return word !== name && fieldNameOf(word) === name ? `{${word}}` : whole;
  });

export const blankField: FieldValues = {
  ...{ name: "", label: "", type: "text", required: true, description: "", choices: "" },
};

/** The fields with those added that the text names and they have not; the same array where there are none, or too many. */
export function withNamedFields(text: string, fields: FieldValues[]): FieldValues[] {
  const added: FieldValues[] = [];
  for (const [, word = ""] of text.matchAll(IN_BRACES)) {
    const name = fieldNameOf(word);
    if (name === null || [...fields, ...added].some((field) => field.name === name)) continue;
    const label = NAME.test(word) ? "" : word.trim();
    added.push({ ...blankField, name, label: label.charAt(0).toLocaleUpperCase("ru") + label.slice(1) });
  }
  return added.length === 0 || fields.length + added.length > TOOL_FIELDS_LIMIT ? fields : [...fields, ...added];
}

/** What the text has in braces although no field has that name. */
export const withoutFields = (text: string, fields: readonly Pick<FieldValues, "name">[]): string[] =>
  [...text.matchAll(IN_BRACES)]
    .map(([, word = ""]) => word)
    .filter((word) => !fields.some(({ name }) => name === fieldNameOf(word)));
