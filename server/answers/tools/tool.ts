/** A tool as code reads it: what it needs, in which fields, and its name for a model. */
import type { Named } from "#contract/actions/tool-call.ts";
import type { ToolField } from "#contract/actions/tool-settings.ts";
import type { ActArgument, ToolRow } from "#server/platform/db/schema/tools.ts";

/** A field that a call may have; `proof` is the number of the proof that it names, and is never sent anywhere. */
export interface CallField extends ToolField {
  proof?: number;
}

/** What the asker may have to name besides, one for each proof of the tool. */
export function proofFieldsOf({ proof }: Pick<ToolRow, "proof">): CallField[] {
  if (proof.everybody) return [];
  return proof.asked.map(({ label, compare }, at) => ({
    ...{ name: `proof${at + 1}`, label, type: compare === "phone" ? "phone" : "text", required: false },
    ...{ description: "", choices: [], proof: at },
  }));
}

/** Labels begin with a capital and stand in the middle of our sentences. */
export const inSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? `${label[0]!.toLowerCase()}${label.slice(1)}` : label;

/** «номер заказа, последние 4 цифры телефона и дату». */
export function listed(labels: readonly string[]): string {
  const words = labels.map(inSentence);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} и ${words.at(-1)}`;
}

/** What a call was made with, for people. */
export const shownArguments = (given: readonly ActArgument[]): Named[] =>
  given.map(({ label, value }) => ({ label, value }));

const LETTERS: Record<string, string> = Object.fromEntries(
  [..."абвгдеёжзийклмнопрстуфхцчшщъыьэюя"].map((letter, at) => [
    letter,
    "a b v g d e e zh z i i k l m n o p r s t u f h c ch sh sch _ y _ e yu ya".split(" ")[at]!.replace("_", ""),
  ]),
);

/** Names by which a model calls the tools, in their order: «status_zakaza». */
export function namesOf(list: readonly Pick<ToolRow, "title">[]): string[] {
  const used = new Set<string>();
  return list.map(({ title }, at) => {
    const plain = [...title.toLowerCase()].map((letter) => LETTERS[letter] ?? letter).join("");
    const name =
      plain
        .replace(/[^a-z0-9]+/g, "_")
        .replace(/^_|_$/g, "")
        .slice(0, 40) || `tool_${at + 1}`;
    const unique = used.has(name) ? `${name}_${at + 1}` : name;
    used.add(unique);
    return unique;
  });
}
