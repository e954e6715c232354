/** What the form of a tool holds, and the tool that it makes of it. */

import type * as z from "zod/mini";
import type {
  HttpMethod,
  ProofCompare,
  Tool,
  ToolDegree,
  ToolFieldType,
  ToolInput,
  ToolTable,
} from "#contract/actions/tools.ts";

export type ToolKind = "table" | "http";

export interface FieldValues {
  name: string;
  label: string;
  type: ToolFieldType;
  required: boolean;
  description: string;
  /** Of a `choice`, one a line. */
  choices: string;
}

export interface ToolValues {
  title: string;
  description: string;
  degree: ToolDegree;
  examples: string[];
  /** Whose the result is: of the asker, who must prove it, or of everybody. */
  scope: "asker" | "everybody";
  /** "": the channel's phone is not compared. */
  channelPhone: string;
  asked: { label: string; source: string; compare: z.infer<typeof ProofCompare> }[];
  /** The table without its sample rows, which must not stay in the browser; null: none was read yet. */
  table: Omit<ToolTable, "sample"> | null;
  keyColumn: string;
  columns: string[];
  method: z.infer<typeof HttpMethod>;
  url: string;
  fields: FieldValues[];
  changes: boolean;
  idempotent: boolean;
  /** `stored`: a value is kept on the server and is not shown. */
  headers: { name: string; value: string; stored: boolean }[];
  resultPath: string;
  places: { path: string; label: string }[];
}

/** Values of these fields are never kept in the browser. */
export const SECRETS: readonly (keyof ToolValues)[] = ["headers"];

export const EXAMPLES = 3;
const blankExamples = (given: readonly string[] = []): string[] =>
  Array.from({ length: Math.max(EXAMPLES, given.length) }, (_, at) => given[at] ?? "");

const empty: ToolValues = {
  title: "",
  description: "",
  degree: "itself",
  examples: blankExamples(),
  scope: "asker",
  channelPhone: "",
  asked: [],
  table: null,
  keyColumn: "",
  columns: [],
  method: "GET",
  url: "",
  fields: [],
  changes: false,
  idempotent: false,
  headers: [],
  resultPath: "",
  places: [],
};

/** @param tool undefined: a new one */
export function valuesOf(tool: Tool | undefined): ToolValues {
  if (tool === undefined) return structuredClone(empty);
  const { title, description, degree, changes, proof, examples, settings } = tool;
  const common = {
    ...structuredClone(empty),
    ...{ title, description, degree, changes, examples: blankExamples(examples) },
    scope: proof.everybody ? ("everybody" as const) : ("asker" as const),
    channelPhone: proof.channelPhone ?? "",
    asked: proof.asked.map((one) => ({ ...one })),
  };
  if (settings.kind === "table") {
    const { sample: _, ...table } = settings.table;
    return { ...common, table, keyColumn: settings.keyColumn, columns: [...settings.shown] };
  }
  const { method, url, fields, headers, resultPath, shown, idempotent } = settings;
  return {
    ...common,
    ...{ method, url, resultPath, idempotent },
    fields: fields.map((field) => ({ ...field, choices: field.choices.join("\n") })),
    headers: headers.map(({ name }) => ({ name, value: "", stored: true })),
    places: shown.map((place) => ({ ...place })),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The tool as it is sent. It may be invalid: `ToolInput` says where, by paths that `placeInForm` understands. */
export function inputOf(kind: ToolKind, values: ToolValues, enabled: boolean): ToolInput {
  const { title, description, degree, scope, channelPhone, asked, examples, headers } = values;
  const changes = kind === "http" && values.changes;
  const proves = !changes && scope === "asker";
  return {
    ...{ title, description, degree, changes, enabled },
    examples: examples.filter((example) => example.trim() !== ""),
    proof: {
      everybody: !changes && scope === "everybody",
      channelPhone: proves && channelPhone !== "" ? channelPhone : null,
      asked: proves ? asked : [],
    },
    settings:
      kind === "table"
        ? { kind, tableId: values.table?.id ?? "", keyColumn: values.keyColumn, shown: values.columns }
        : {
            ...{ kind, method: values.method, url: values.url, idempotent: values.idempotent },
            resultPath: values.resultPath.trim(),
            fields: values.fields.map(({ choices, ...field }) => ({
              ...field,
              choices: field.type === "choice" ? linesOf(choices) : [],
            })),
            shown: values.places,
            headers: headers.map(({ name, value, stored }) => ({ name, ...(stored && value === "" ? {} : { value }) })),
          },
  };
}

/** A stored tool as it is sent back; the values of its headers stay. */
export const inputOfTool = (tool: Tool): ToolInput => inputOf(tool.settings.kind, valuesOf(tool), tool.enabled);

/**
 * The form's own name of a place in the tool: «settings.fields.0.name» is `fields.0.name`. A call's answer names it below `tool`.
 * @returns null for what the form has no field for
 */
export function placeInForm(kind: ToolKind, path: string): string | null {
  const place = path.replace(/^tool\./, "").replace(/^settings\.?/, "");
  if (place === "proof") return "scope";
  if (place.startsWith("proof.")) return place.slice("proof.".length);
  if (place === "tableId") return "table";
  if (/^shown/.test(place)) return kind === "table" ? "columns" : place.replace(/^shown/, "places");
  return /^(title|description|degree|examples|keyColumn|method|url|fields|headers|resultPath|idempotent|changes)/.test(
    place,
  )
    ? place
    : null;
}
