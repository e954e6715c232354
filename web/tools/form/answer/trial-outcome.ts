/** What a trial means for the form: what was tried, whether it failed, and what the customer would learn by the owner's choice. */
import type { Named } from "#contract/actions/tool-call.ts";
import type { SettingsInput } from "#contract/actions/tool-settings.ts";
import type { ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import type { ToolValues } from "../form-values.ts";
import { placesOf, resultOf } from "./answer-places.ts";

/** Whether parts of a system's answer are chosen, so that the trial comes before the choice. */
const picksPlaces = (settings: SettingsInput): settings is Extract<SettingsInput, { kind: "http" | "mcp" }> =>
  settings.kind === "http" || settings.kind === "mcp";

/**
 * The tool as it is tried: what is not named yet has the program's name, and without a proof the whole result is shown, because what proves
 * it is chosen in the first answer.
 * @param title what the tool is called while its owner has not named it
 */
export function tried(input: ToolInput, title: string): ToolInput {
  const { proof, settings } = input;
  const isUnproven = proof.channelPhone === null && proof.asked.length === 0;
  return {
    ...input,
    title: input.title.trim() || title,
    ...(isUnproven && { proof: { ...proof, everybody: true } }),
    ...(picksPlaces(settings) && {
      settings: {
        ...settings,
        fields: settings.fields.map((field) => ({ ...field, label: field.label.trim() || field.name })),
        shown: settings.shown.map(({ path, label }) => ({ path, label: label.trim() || path.slice(-60) })),
      },
    }),
  };
}

/**
 * Equal for two tools of which a trial gives the same. What is chosen of an answer, and what proves it, is no part of a call whose answer is
 * already here.
 */
export function trialKey({ settings, changes, proof }: ToolInput): string {
  if (!picksPlaces(settings)) return JSON.stringify([settings, changes, proof]);
  const { shown: _, resultPath: __, reportsAll: ___, fields, ...call } = settings;
  return JSON.stringify([
    call,
    fields.map(({ name, type, required, choices }) => [name, type, required, choices]),
    changes,
  ]);
}

type Outcome = Pick<ToolTrial, "status"> & { call: Pick<ToolTrial["call"], "outcome" | "result"> };

export const isFailed = ({ call: { outcome, result } }: Outcome): boolean =>
  outcome === "failed" || outcome === "unknown" || (outcome === "unproven" && result.length === 0);

/** Whether the answer may be chosen from: an error has other places than a result. */
export const isPickable = ({ call: { outcome }, status }: Outcome): boolean =>
  outcome !== "failed" && outcome !== "unknown" && (status === null || status < 400);

/** What the customer would learn: lines, or why there are none yet. */
export interface Learned {
  lines: readonly Named[];
  /** A Russian sentence; null where the lines say it all. */
  note: string | null;
}

/** @returns null where the trial's own result says it: something else than places of an answer is chosen, or nothing came */
export function learnedOf(
  { answer, call: { outcome, result } }: Pick<ToolTrial, "answer" | "call">,
  { resultPath, places, reportsAll }: Pick<ToolValues, "resultPath" | "places" | "reportsAll">,
  changes: boolean,
): Learned | null {
  if (outcome !== "done" && result.length === 0) return null;
  if (places.length > 0) {
    const lines = resultOf(answer, resultPath.trim(), places);
    return lines && { lines, note: lines.length === 0 ? "Того, что вы выбрали, в\u00a0этом ответе нет" : null };
  }
  if (changes)
    return {
      lines: [],
      note: "Только то, что это сделано. Чтобы сообщить и\u00a0ответ системы, нажмите в\u00a0нём на\u00a0значения",
    };
  if (reportsAll) {
    const lines = resultOf(answer, resultPath.trim(), []);
    return lines && { lines, note: null };
  }
  return {
    lines: [],
    note:
      (placesOf(answer) ?? []).length > 0
        ? "Пока ничего не\u00a0выбрано: нажмите на\u00a0значения"
        : "Пока ничего не\u00a0выбрано. Значений в\u00a0этом ответе нет: можно только сообщать его весь",
  };
}
