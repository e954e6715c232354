/** What the contract cannot refuse, because it is only worth nothing to the twin. */
import { tellsUnchosen } from "#contract/actions/tool-settings.ts";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { withoutFields } from "./named-fields.ts";

export const NO_PURPOSE =
  "Напишите, для чего оно, или хотя бы один пример: иначе двойник не\u00a0поймёт, когда это нужно";
export const NO_PROOF = "Укажите, чем собеседник подтверждает, что это о нём, или что результат для всех";

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
  if (enabled && lacksPurpose(tool)) faults.push(["description", NO_PURPOSE]);
  // The contract comes to its own check of this only where nothing else is wrong.
  if (enabled && lacksProof(tool)) faults.push(["proof", NO_PROOF]);
  return faults;
}

/** What must be done before a stored tool is worth switching on, as phrases after «не хватает»: «ключа Authorization». */
export function missingOf(tool: Tool): string[] {
  const { settings } = tool;
  const headers = settings.kind === "http" ? settings.headers.filter(({ missing }) => missing) : [];
  return [
    ...(lacksPurpose(tool) ? ["назначения или примера"] : []),
    ...headers.map(({ name }) => `ключа ${name}`),
    ...(!tool.enabled && !tool.changes && tellsUnchosen(settings) ? ["выбора, что сообщать"] : []),
    ...(lacksProof(tool) ? ["выбора, кому это можно сказать"] : []),
  ];
}
