/** A question that the owner answers himself; nothing is called. */
import type { ActArgument } from "#server/platform/db/schema/tools.ts";
import { refusedInput, requireNames } from "../refused-input.ts";
import type { ToolKind } from "../tool-kind.ts";

const PLACE = /\{([A-Za-z][A-Za-z0-9_]{0,39})\}/g;

const placesIn = (question: string): string[] => [...question.matchAll(PLACE)].map(([, name]) => name!);

/** «Есть ли {item}?» of the item «латте» is «Есть ли латте?»; values without a place stand behind it. */
function questionOf(question: string, values: readonly ActArgument[]): string {
  const places = new Set(placesIn(question));
  const given = new Map(values.map(({ name, value }) => [name, value]));
  const formed = question.replace(PLACE, (_, name: string) => given.get(name) ?? "—");
  const rest = values.filter(({ name }) => !places.has(name)).map(({ label, value }) => `${label}: ${value}`);
  return [formed, ...rest].join("\n");
}

export const questionKind: ToolKind<"question"> = {
  fieldsOf: ({ fields }) => fields,
  targetOf: () => null,
  requireSound(_config, { question, fields }) {
    requireNames(fields);
    const unknown = placesIn(question).find((name) => !fields.some((field) => field.name === name));
    if (unknown !== undefined)
      throw refusedInput("settings.question", `В вопросе есть {${unknown}}, а такого поля нет`);
  },
  store: async (_tx, _place, input) => input,
  secretsOf: () => ({}),
  bind: async () => {},
  show: (settings) => settings,
  connectionOf: () => null,
  preview: ({ question }, values) => ({ method: "Вопрос", url: "вам", body: questionOf(question, values) }),
  asksOwner: ({ question }, values) => questionOf(question, values),
  call: async () => ({ kind: "failed", reason: "На вопрос отвечает человек", status: null, answer: "" }),
};
