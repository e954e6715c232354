/** Reads what a system answered: bounded, flat, without anything but texts and numbers. */
import type { Named } from "#contract/actions/tool-call.ts";
import { visibleText } from "#server/knowledge/language/visible-text.ts";
import type { StoredSettings } from "#server/platform/db/schema/tools.ts";

export type Result = Named[];

const MAX_LINES = 40;
const MAX_VALUE = 300;
const MAX_CHARS = 3000;
const MAX_DEPTH = 6;

type Http = Pick<Extract<StoredSettings, { kind: "http" }>, "resultPath" | "shown">;

/** Whether the settings name places, which only JSON has. */
export const listsPlaces = ({ resultPath, shown }: Http): boolean => resultPath !== "" || shown.length > 0;

export function resultIn({ resultPath, shown }: Http, answer: unknown): Result {
  const root = placeIn(answer, resultPath);
  const lines =
    shown.length === 0
      ? flat(root)
      : shown.flatMap(({ path, label }) => flat(placeIn(root, path)).map(({ value }) => ({ label, value })));
  return bounded(lines);
}

/** @param path keys joined by dots; "": the whole. @returns undefined where there is nothing */
export function placeIn(json: unknown, path: string): unknown {
  let at = json;
  for (const key of path === "" ? [] : path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** The text of a scalar; null for anything else. */
export function scalarIn(json: unknown, path: string): string | null {
  const value = placeIn(json, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

function flat(value: unknown, label = "", depth = 0): Result {
  if (value === null || value === undefined || depth > MAX_DEPTH) return [];
  if (typeof value !== "object") {
    const shown = typeof value === "boolean" ? (value ? "да" : "нет") : String(value);
    return [{ label: label === "" ? "Ответ" : label, value: shown }];
  }
  const lines: Result = [];
  for (const [key, inner] of Object.entries(value).slice(0, MAX_LINES)) {
    const name = Array.isArray(value) ? `${Number(key) + 1}` : key;
    lines.push(...flat(inner, label === "" ? name : `${label} ${name}`, depth + 1));
    if (lines.length >= MAX_LINES) break;
  }
  return lines;
}

/** What may be shown and stored: visible characters in one line, so many. */
export function bounded(lines: readonly Named[]): Result {
  const kept: Result = [];
  let chars = 0;
  for (const { label, value } of lines.slice(0, MAX_LINES)) {
    const line = { label: clean(label, 60), value: clean(value, MAX_VALUE) };
    chars += line.label.length + line.value.length;
    if (chars > MAX_CHARS) break;
    if (line.value !== "") kept.push(line);
  }
  return kept;
}

const clean = (text: string, longest: number): string =>
  visibleText(text.slice(0, 4 * longest).toWellFormed())
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest)
    .toWellFormed();
