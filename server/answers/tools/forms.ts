/**
 * Recognises without a model what the owner's examples ask for: the words of an example by their stems, and one number in the place of its
 * own. Bounded: a message of more words asks for something else as well.
 */

import { phonesIn, withoutPhones } from "#server/knowledge/language/statements/quantities.ts";
import { stemOf, words as wordsIn } from "#server/knowledge/language/words/analyze.ts";
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import { fieldsOf } from "./kind-of.ts";
import type { NamedValue } from "./stated-values.ts";
import { type CallField, proofFieldsOf } from "./tool.ts";

interface Form {
  /** Stems of the words that carry meaning, and the words that ask. */
  stems: ReadonlySet<string>;
  words: number;
}

/** Words of a message beyond those of the example. */
const MORE_WORDS = 6;
const MAX_WORDS = 40;
const MAX_CHARS = 600;

/** A number or a code with digits: «1042», «№77-12», «AB-1042». Numbers of phones are read before. */
const SLOT = /(?<![\p{L}\p{N}])(?:[\p{L}]{1,6}[-/]?)?\d[\p{L}\d]*(?:[-/][\p{L}\d]{1,20}){0,4}/gu;

/** The only field that a form can fill: a form has one place. */
export function slotFieldOf(tool: Pick<ToolRow, "settings">): CallField | null {
  const required = fieldsOf(tool).filter(({ required }) => required);
  const [field, ...others] = required;
  const isTyped = field !== undefined && ["text", "number"].includes(field.type);
  return isTyped && others.length === 0 ? field : null;
}

/** What a form must fill: one place, or nothing; null: it cannot fill all that is required. */
function formFieldsOf(tool: Pick<ToolRow, "settings">): CallField[] | null {
  const slot = slotFieldOf(tool);
  if (slot !== null) return [slot];
  return fieldsOf(tool).some(({ required }) => required) ? null : [];
}

/** What code asks for: what is required, and what proves a read; a change is confirmed and not proven. */
export const askedFields = (tool: Pick<ToolRow, "settings" | "proof" | "changes">): CallField[] => [
  ...fieldsOf(tool).filter(({ required }) => required),
  ...(tool.changes ? [] : proofFieldsOf(tool)),
];

type Recognised = Pick<ToolRow, "settings" | "examples" | "changes">;

/** The examples that are recognised. What a change needs must be a number, which its example has: no code finds other words for it. */
function formExamplesOf(tool: Recognised): string[] {
  const fields = formFieldsOf(tool);
  if (fields === null) return [];
  const needsNumber = tool.changes && fields.length > 0;
  return tool.examples.filter((example) => !needsNumber || example.replace(SLOT, "") !== example);
}

/** «где мой заказ [Номер заказа]». */
export function shownForms(tool: Recognised): string[] {
  const [field] = formFieldsOf(tool) ?? [];
  const examples = formExamplesOf(tool);
  return field === undefined ? examples : examples.map((example) => example.replace(SLOT, `[${field.label}]`));
}

/** Stop words that say what is asked: «где мой заказ» and «сколько стоит заказ» differ in them. */
const ASKING = new Set("где когда куда откуда что как какой какая какое какие сколько почему зачем кто чей".split(" "));
/** Words with which the others ask for no change. */
const TURNING = new Set([...ASKING, "не", "нельзя"]);
const markOf = (word: string): string => (ASKING.has(word) ? word : stemOf(word));

function formOf(example: string): Form {
  const words = wordsIn(example.replace(SLOT, " "));
  return { stems: new Set(words.map(markOf).filter((mark) => mark !== "")), words: words.length };
}

export interface FoundForm {
  values: NamedValue[];
  /** Labels of the required field and of proofs that the message does not name. */
  missing: CallField[];
}

type Fillable = Recognised & Pick<ToolRow, "proof">;

/** @returns null when no example of the tool is asked. */
export const matchForm = (tool: Fillable, message: string): FoundForm | null =>
  asksOne(tool, formExamplesOf(tool), message) ? filled(askedFields(tool), {}, message) : null;

/** @returns the first example that calls the tool as it stands, without a model */
export const recognisedExample = (tool: Fillable): string | null =>
  tool.examples.find((example) => matchForm(tool, example) !== null) ?? null;

/**
 * Why no message calls the tool without a model; null: its own examples do. `fields`: a form cannot fill all that it needs; `examples`: none
 * of them is recognised.
 */
export function whyOnlyModel(tool: Fillable): "fields" | "examples" | null {
  if (recognisedExample(tool) !== null) return null;
  return formFieldsOf(tool) === null ? "fields" : "examples";
}

/** Whether the message asks for one of the tool's examples, whether or not a form could fill it. */
export const asksExample = (tool: Recognised, message: string): boolean => asksOne(tool, tool.examples, message);

function asksOne(tool: Recognised, examples: readonly string[], message: string): boolean {
  if (examples.length === 0 || message.length > MAX_CHARS) return false;
  const words = wordsIn(withoutPhones(message).replace(SLOT, " "));
  if (words.length > MAX_WORDS) return false;
  const stems = new Set(words.map(markOf));
  return examples.map(formOf).some(
    (form) =>
      form.stems.size > 0 &&
      words.length <= form.words + MORE_WORDS &&
      [...form.stems].every((stem) => stems.has(stem)) &&
      // «Как отменить заказ 1042?» and «не отменяйте заказ 1042» ask for no change.
      (!tool.changes || words.every((word) => !TURNING.has(word) || form.stems.has(markOf(word)))),
  );
}

/** Whether a message is an answer to a question for such values, and nothing else. */
export function isBareAnswer(message: string): boolean {
  if (message.length > MAX_CHARS || message.includes("?")) return false;
  return wordsIn(withoutPhones(message).replace(SLOT, " ")).length <= MORE_WORDS && /\d/.test(message);
}

/** Gives the numbers of a message to the fields that have none yet, in their order; phones to phones. */
export function filled(
  fields: readonly CallField[],
  known: Readonly<Record<string, string>>,
  message: string,
): FoundForm {
  const phones = phonesIn(message).map(({ text }) => text.trim());
  const numbers = [...withoutPhones(message).matchAll(SLOT)].map(([found]) => found);
  const values: NamedValue[] = [];
  const missing: CallField[] = [];
  for (const field of fields) {
    const value =
      known[field.name] ?? (field.type === "phone" ? phones.shift() : (numbers.shift() ?? lastOf(field, phones)));
    if (value === undefined) missing.push(field);
    else values.push({ name: field.name, value });
  }
  return { values, missing };
}

/** A whole phone also names its last digits. */
const lastOf = ({ proof }: CallField, phones: string[]): string | undefined =>
  proof === undefined ? undefined : phones.shift();
