/** What the contract cannot refuse, because it is only worth nothing to the twin. */
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { withoutFields } from "./named-fields.ts";
import { isProgramName, isProgramTitle } from "./program-names.ts";

export const NO_PURPOSE =
  "Напишите, для чего оно, или хотя бы один пример: иначе двойник не\u00a0поймёт, когда это нужно";
export const NO_PROOF = "Укажите, чем собеседник подтверждает, что это о нём, или что результат для всех";
const NOTHING_CHOSEN = "Выберите в ответе, что сообщать, или отметьте «Сообщать всё»";
const PROGRAM_NAME = "Назовите по-русски: собеседник прочтёт это название";

type Judged = Pick<ToolInput, "description" | "examples" | "degree" | "changes" | "proof">;

/** Whether nothing tells the twin when it is asked for this. */
export const lacksPurpose = ({ description, examples, degree }: Judged): boolean =>
  degree !== "never" && description.trim() === "" && examples.every((example) => example.trim() === "");

/** Whether nothing says whom its result concerns. */
export const lacksProof = ({ changes, proof }: Judged): boolean =>
  !changes && !proof.everybody && proof.channelPhone === null && proof.asked.length === 0;

/** Faults of a tool that is on, or of its question, by the paths of the contract. */
export function faultsOf(tool: ToolInput): [path: string, message: string][] {
  const { enabled, settings } = tool;
  const faults: [string, string][] = [];
  if (settings.kind === "question" && settings.question.trim() !== "") {
    const [word] = withoutFields(settings.question, settings.fields);
    if (word !== undefined)
      faults.push(["settings.question", `Для {${word}} нет поля: добавьте его ниже или уберите скобки`]);
  }
  if (!enabled) return faults;
  for (const { path } of programNamesOf(settings)) faults.push([`settings.${path}.label`, PROGRAM_NAME]);
  if (lacksPurpose(tool)) faults.push(["description", NO_PURPOSE]);
  // The contract comes to its own checks of these only where nothing else is wrong.
  if (!tool.changes && tellsUnchosen(settings)) faults.push(["settings.shown", NOTHING_CHOSEN]);
  if (lacksProof(tool)) faults.push(["proof", NO_PROOF]);
  return faults;
}

type Named = Pick<Extract<ToolInput["settings"], { kind: "http" | "mcp" }>, "kind" | "fields" | "shown">;

/** Fields and places of an answer whose labels are still the program's, by their places in the settings. */
function programNamesOf(settings: { kind: string }): { path: string; label: string }[] {
  if (!isNamed(settings)) return [];
  const fields = settings.fields.map(({ name, label }, at) => ({ name, label, path: `fields.${at}` }));
  const shown = settings.shown.map(({ path, label }, at) => ({ name: path, label, path: `shown.${at}` }));
  return [...fields, ...shown].filter(({ label, name }) => isProgramName(label, name));
}

const isNamed = (settings: { kind: string }): settings is Named => settings.kind === "http" || settings.kind === "mcp";

/** What must be done before a stored tool is worth switching on, as phrases after «не хватает»: «ключа Authorization». */
export function missingOf(tool: Tool): string[] {
  const { settings } = tool;
  const headers = settings.kind === "http" ? settings.headers.filter(({ missing }) => missing) : [];
  const unnamed = programNamesOf(settings).map(({ label }) => label);
  return [
    ...(!tool.enabled && isProgramTitle(tool.title) ? ["названия по-русски"] : []),
    ...(!tool.enabled && unnamed.length > 0 ? [`названий по-русски (${unnamed.join(", ")})`] : []),
    ...(lacksPurpose(tool) ? ["назначения или примера"] : []),
    ...headers.map(({ name }) => `ключа ${name}`),
    ...(!tool.enabled && !tool.changes && tellsUnchosen(settings) ? ["выбора, что сообщать"] : []),
    ...(lacksProof(tool) ? ["выбора, кому это можно сказать"] : []),
  ];
}
