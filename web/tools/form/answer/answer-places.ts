/** Places of a JSON answer that the owner may choose: what a system answered to a trial. */

import type { Named } from "#contract/actions/tool-call.ts";

/** Places that are shown; an answer of more is rarely read to its end. */
const MAX_PLACES = 200;
const MAX_DEPTH = 7;
/** Lines of a result, and characters of a value, as the server bounds them. */
const MAX_LINES = 40;
const MAX_VALUE = 300;
/** For a place that its owner has not named yet: a path is nothing that the customer would read. */
const UNNAMED = "(без названия)";
/** Keys with a dot or a space cannot stand in a path. */
const KEY = /^[^\s.]{1,60}$/u;

export interface AnswerPlace {
  /** Keys joined by dots: «order.items.0.name». */
  path: string;
  depth: number;
  key: string;
  /** Text of a scalar; null for an object or a list. */
  value: string | null;
}

/** @returns null when the answer is no JSON, such as one of which only the beginning is there */
export function placesOf(answer: string): AnswerPlace[] | null {
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return null;
  }
  const places: AnswerPlace[] = [];
  walk(json, "", 0, places);
  return places;
}

function walk(json: unknown, path: string, depth: number, places: AnswerPlace[]) {
  if (typeof json !== "object" || json === null || depth > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(json)) {
    if (places.length >= MAX_PLACES) return;
    if (!KEY.test(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    const isScalar = typeof inner !== "object" || inner === null;
    places.push({ path: at, depth, key, value: isScalar ? textOf(inner) : null });
    walk(inner, at, depth + 1, places);
  }
}

function textOf(value: unknown): string {
  if (value === null) return "нет";
  if (typeof value === "boolean") return value ? "да" : "нет";
  return String(value);
}

/**
 * What the owner's choice makes of the answer that is already here, as the server would read it: nothing is called again.
 * @returns null when the answer is no JSON
 */
export function resultOf(
  answer: string,
  root: string,
  chosen: readonly { path: string; label: string }[],
): Named[] | null {
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    return null;
  }
  const result = placeIn(json, root);
  if (chosen.length === 0) return flat(result).slice(0, MAX_LINES);
  return chosen
    .flatMap(({ path, label }) =>
      flat(placeIn(result, path)).map(({ value }) => ({ label: label.trim() || UNNAMED, value })),
    )
    .slice(0, MAX_LINES);
}

function placeIn(json: unknown, path: string): unknown {
  let at = json;
  for (const key of path === "" ? [] : path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function flat(value: unknown, label = "", depth = 0): Named[] {
  if (value === null || value === undefined || value === "" || depth > MAX_DEPTH) return [];
  if (typeof value !== "object") return [{ label: label || "Ответ", value: textOf(value).slice(0, MAX_VALUE) }];
  return Object.entries(value)
    .slice(0, MAX_LINES)
    .flatMap(([key, inner]) => {
      const name = Array.isArray(value) ? `${Number(key) + 1}` : key;
      return flat(inner, label === "" ? name : `${label} ${name}`, depth + 1);
    });
}

/** The path below `root`; null when it does not stand there. */
export function below(path: string, root: string): string | null {
  if (root === "") return path;
  return path.startsWith(`${root}.`) ? path.slice(root.length + 1) : null;
}
