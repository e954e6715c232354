/**
 * Recognises without a model what the owner's examples ask for: the words of an example by their stems, and one number in the place of its
 * own. Bounded: a message of more words asks for something else as well.
 */

import { phonesIn, withoutPhones } from "#server/knowledge/language/statements/quantities.ts";
import { words as wordsIn } from "#server/knowledge/language/words/analyze.ts";
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { fieldsOf } from "./kind-of.ts";
import { ASKING, markOf, nearestOf, plainText } from "./spoken/nearest-form.ts";
import type { NamedValue } from "./stated-values.ts";
import { type CallField, proofFieldsOf } from "./tool.ts";

interface Form {
  /** Stems of the words that carry meaning, and the words that ask. */
  stems: ReadonlySet<string>;
  words: number;
  /** See `plainText`. */
  plain: string;
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

/** Words with which the others ask for no change. */
const TURNING = new Set([...ASKING, "не", "нельзя"]);

/** The words of an example, and of a message, around the numbers. */
const aroundNumbers = (text: string): string[] => wordsIn(text.replace(SLOT, " ").replaceAll("№", " "));
const spokenWords = (message: string): string[] => aroundNumbers(withoutPhones(message));

/** Kept, because each message, and each example that is listed, is compared with all examples of a twin. */
const formOf: (example: string) => Form = memoize(
  1 * MB,
  (example) => {
    const words = aroundNumbers(example);
    return {
      stems: new Set(words.map(markOf).filter((mark) => mark !== "")),
      words: words.length,
      plain: plainText(words),
    };
  },
  (example) => 6 * estimateTextBytes(example) + 200,
);

export interface FoundForm {
  values: NamedValue[];
  /** Labels of the required field and of proofs that the message does not name. */
  missing: CallField[];
}

type Fillable = Recognised & Pick<ToolRow, "proof">;

/**
 * The tools that a message asks for by their examples, whether or not a form could fill them: one; several where it is equally near to
 * them, so that none may be called; empty where it asks for none. The order of the tools decides nothing.
 */
export function askedTools<T extends Recognised>(tools: readonly T[], message: string): readonly T[] {
  const said = readMessage(message);
  if (said === null) return [];
  const exact = tools.filter((tool) =>
    tool.examples.some((example) => formOf(example).plain === said.plain && asksFor(tool, example, said)),
  );
  if (exact.length > 0) return exact;
  const candidates = tools.flatMap((tool) => {
    const asked = tool.examples.filter((example) => asksFor(tool, example, said));
    if (asked.length === 0) return [];
    return [{ of: tool, phrases: tool.examples.map(aroundNumbers), asked: asked.map(aroundNumbers) }];
  });
  const nearest = nearestOf(said.words, candidates);
  // A request that a read or a question could mean as well becomes a change only in the owner's own words.
  const isDoubtful = nearest.some(({ changes }) => changes) && candidates.some(({ of: { changes } }) => !changes);
  return isDoubtful ? candidates.map(({ of }) => of) : nearest;
}

/** @returns the tool that is called, and its values; null: none, or more than one could be meant */
export function chooseForm<T extends Fillable>(
  tools: readonly T[],
  message: string,
): { tool: T; found: FoundForm } | null {
  const [tool, ...others] = askedTools(tools, message);
  const found = tool === undefined || others.length > 0 ? null : matchForm(tool, message);
  return found === null ? null : { tool: tool!, found };
}

/** An example that calls nothing or another tool, because others are asked for with the same words. */
export interface TakenExample {
  example: string;
  /** Titles of the others. */
  by: string[];
}

/** @param others the other tools that the twin may call */
export const takenExamples = <T extends Recognised & Pick<ToolRow, "title">>(
  tool: T,
  others: readonly T[],
): TakenExample[] =>
  tool.examples.flatMap((example) => {
    const by = askedTools([tool, ...others], example).filter((asked) => asked !== tool);
    return by.length === 0 ? [] : [{ example, by: by.map(({ title }) => title) }];
  });

/** @returns null when no example of the tool is asked. */
function matchForm(tool: Fillable, message: string): FoundForm | null {
  const said = readMessage(message);
  const isAsked = said !== null && formExamplesOf(tool).some((example) => asksFor(tool, example, said));
  return isAsked ? filled(askedFields(tool), {}, message) : null;
}

/** @returns the first example that calls the tool as it stands beside the others, without a model */
export const recognisedExample = (tool: Fillable, others: readonly Fillable[] = []): string | null =>
  tool.examples.find((example) => chooseForm([tool, ...others], example)?.tool === tool) ?? null;

/**
 * Why no message calls the tool without a model; null: its own examples do. `fields`: a form cannot fill all that it needs; `examples`: none
 * of them is recognised.
 */
export function whyOnlyModel(tool: Fillable): "fields" | "examples" | null {
  if (recognisedExample(tool) !== null) return null;
  return formFieldsOf(tool) === null ? "fields" : "examples";
}

interface Said {
  words: readonly string[];
  stems: ReadonlySet<string>;
  /** See `plainText`. */
  plain: string;
}

/** @returns null for a message too long to ask for one thing */
function readMessage(message: string): Said | null {
  if (message.length > MAX_CHARS) return null;
  const words = spokenWords(message);
  return words.length > MAX_WORDS ? null : { words, stems: new Set(words.map(markOf)), plain: plainText(words) };
}

function asksFor({ changes }: Recognised, example: string, { words, stems }: Said): boolean {
  const form = formOf(example);
  return (
    form.stems.size > 0 &&
    words.length <= form.words + MORE_WORDS &&
    [...form.stems].every((stem) => stems.has(stem)) &&
    // «Как отменить заказ 1042?» and «не отменяйте заказ 1042» ask for no change.
    (!changes || words.every((word) => !TURNING.has(word) || form.stems.has(markOf(word))))
  );
}

/** Whether a message is an answer to a question for such values, and nothing else. */
export function isBareAnswer(message: string): boolean {
  if (message.length > MAX_CHARS || message.includes("?")) return false;
  return spokenWords(message).length <= MORE_WORDS && /\d/.test(message);
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
