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

type Labelled = Pick<FieldValues, "name" | "label">;

/** What stands in braces for a field: its label, in small letters as in a sentence. "": it has none that may stand there. */
const wordOf = ({ label }: Labelled): string => (/[{}]/.test(label) ? "" : label.trim().toLocaleLowerCase("ru"));

/** The name of the field for which a word in braces stands: that of its label, otherwise the one that the word itself makes. */
function nameIn(word: string, fields: readonly Labelled[]): string | null {
  const sought = word.trim().toLocaleLowerCase("ru");
  const [labelled, ...others] = fields.filter((field) => wordOf(field) === sought);
  return sought !== "" && labelled !== undefined && others.length === 0 ? labelled.name : fieldNameOf(word);
}

/**
 * The text with the names of fields in its braces, as it is stored: «Есть ли {sort}?».
 * @param fields those that may be named; a word of no field stays as it is. Absent: each word is a name
 */
export const withNames = (text: string, fields?: readonly Labelled[]): string =>
  text.replace(IN_BRACES, (whole, word: string) => {
    const name = nameIn(word, fields ?? []);
    const isKnown = fields === undefined || fields.some((field) => field.name === name);
    return name === null || !isKnown ? whole : `{${name}}`;
  });

/** The text with the labels of fields in its braces, as people read it: «Есть ли {сорт кофе}?». */
export const withWords = (text: string, fields: readonly Labelled[]): string =>
  text.replace(IN_BRACES, (whole, name: string) => {
    const field = fields.find((one) => one.name === name);
    const word = field === undefined ? "" : wordOf(field);
    return word !== "" && nameIn(word, fields) === name ? `{${word}}` : whole;
  });

export const blankField: FieldValues = {
  ...{ name: "", label: "", type: "text", required: true, description: "", choices: "" },
};

/** The fields with those added that the text names and they have not; the same array where there are none, or too many. */
export function withNamedFields(text: string, fields: FieldValues[]): FieldValues[] {
  const added: FieldValues[] = [];
  for (const [, word = ""] of text.matchAll(IN_BRACES)) {
    const name = nameIn(word, fields);
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

/** A field that its owner adds himself: nobody sees its name. */
export function unnamedField(fields: readonly Pick<FieldValues, "name">[]): FieldValues {
  let at = fields.length + 1;
  while (fields.some(({ name }) => name === `pole_${at}`)) at += 1;
  return { ...blankField, name: `pole_${at}` };
}
