/** Reads a response leniently: invalid rows and optional fields are dropped, and the rest is used. */
import type * as z from "zod/mini";

interface LenientRead<T> {
  data: T;
  /** Number of list rows that are missing from `data`. */
  leftOut: number;
}

type Issue = z.core.$ZodIssue;
type Holder = Record<PropertyKey, unknown>;

/**
 * Parses `body` by `schema`. An invalid optional field of a row is dropped, and a row that is still invalid is left out. Returns the
 * first issue when that does not help: the invalid part is outside every list, or no row of a list that is the whole response is valid.
 */
export function readLeniently<S extends z.ZodMiniType>(
  schema: S,
  body: unknown,
): { read: LenientRead<z.output<S>> } | { issue: Issue } {
  const strict = schema.safeParse(body);
  if (strict.success) return { read: { data: strict.data, leftOut: 0 } };
  const first = strict.error.issues[0]!;
  const copy = structuredClone(body);
  for (const mend of [asMissing, asNull]) {
    for (const issue of oddIn(schema, copy)) if (rowEnd(issue) < issue.path.length) mend(copy, issue.path);
  }
  const odd = new Map(oddIn(schema, copy).map((issue) => [keyOf(rowOf(issue)), rowOf(issue)]));
  if (odd.has("[]")) return { issue: first };
  leaveOut(copy, [...odd.values()]);
  const result = schema.safeParse(copy);
  const allOdd = Array.isArray(copy) && copy.length === 0;
  return result.success && !allOdd ? { read: { data: result.data, leftOut: odd.size } } : { issue: first };
}

const oddIn = (schema: z.ZodMiniType, value: unknown): Issue[] => schema.safeParse(value).error?.issues ?? [];

/** Number of path steps to the outermost row; 0 if the issue is not inside a list. */
const rowEnd = ({ path }: Issue): number => path.findIndex((step) => typeof step === "number") + 1;
const rowOf = (issue: Issue): PropertyKey[] => issue.path.slice(0, rowEnd(issue));
const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

function holderOf(value: unknown, path: readonly PropertyKey[]): Holder | undefined {
  let at = value;
  for (const step of path.slice(0, -1)) at = (at as Holder | null | undefined)?.[step];
  return typeof at === "object" && at !== null ? (at as Holder) : undefined;
}

function asMissing(value: unknown, path: readonly PropertyKey[]): void {
  const holder = holderOf(value, path);
  // Elements of a list inside the row are not removed, because the others would move up.
  if (holder && !Array.isArray(holder)) delete holder[path.at(-1)!];
}

function asNull(value: unknown, path: readonly PropertyKey[]): void {
  const holder = holderOf(value, path);
  if (holder && !Array.isArray(holder)) holder[path.at(-1)!] = null;
}

/** Removes rows from the end, so that the indexes of earlier rows stay valid. */
function leaveOut(value: unknown, rows: PropertyKey[][]): void {
  for (const row of rows.toSorted((a, b) => Number(b.at(-1)) - Number(a.at(-1)))) {
    const list = holderOf(value, row);
    if (Array.isArray(list)) list.splice(Number(row.at(-1)), 1);
  }
}
