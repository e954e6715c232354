/** What the form of a tool holds, and the tool that it makes of it. */

import type * as z from "zod/mini";
import {
  type HttpMethod,
  READING_KINDS,
  type SettingsInput,
  type ShownSettings,
  type ToolField,
  type ToolTable,
  unclearChange,
} from "#contract/actions/tool-settings.ts";
import type { ProofCompare, Tool, ToolDegree, ToolInput } from "#contract/actions/tools.ts";
import { type ProxyValue, proxyInput, storedProxy } from "#web/parts/proxy/proxy-value.ts";
import { ownZone } from "#web/parts/times/time-zones.ts";
import { calendarWords, crmWords } from "./kinds/kind-words.ts";
import { type FieldValues, withNames, withWords } from "./named-fields.ts";

export type ToolKind = SettingsInput["kind"];

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
  /** Of an MCP server's action; "": none was chosen yet. */
  connectionId: string;
  actionName: string;
  fields: FieldValues[];
  changes: boolean;
  /** Whether a POST only reads. */
  readsOnly: boolean;
  idempotent: boolean;
  /** `stored`: a value is kept on the server and is not shown. */
  headers: { name: string; value: string; stored: boolean; missing?: true | undefined }[];
  /** Of a call over HTTP. */
  proxy: ProxyValue;
  resultPath: string;
  places: { path: string; label: string }[];
  /** Whether the customer learns all of the answer where no place is chosen. */
  reportsAll: boolean;
  calendar: Omit<Extract<SettingsInput, { kind: "calendar" }>, "kind">;
  question: string;
  crm: Omit<Extract<SettingsInput, { kind: "crm" }>, "kind">;
}

/** Values of these fields are never kept in the browser. */
export const SECRETS: readonly (keyof ToolValues)[] = ["headers", "proxy"];

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
  connectionId: "",
  actionName: "",
  fields: [],
  changes: false,
  readsOnly: false,
  idempotent: false,
  headers: [],
  proxy: storedProxy(),
  resultPath: "",
  places: [],
  reportsAll: false,
  calendar: {
    ...{ connectionId: "", calendarUrl: "", does: "free", days: [1, 2, 3, 4, 5], from: "10:00", to: "18:00" },
    ...{ slotMinutes: 60, daysAhead: 14, noticeMinutes: 60, timeZone: ownZone() },
  },
  question: "",
  crm: { does: "deal", key: "deal", shown: ["stage"] },
};

/** @param tool undefined: a new one of the kind */
export function valuesOf(tool: Tool | undefined, kind?: ToolKind): ToolValues {
  if (tool === undefined) return structuredClone({ ...empty, ...(kind && kindOf(kind).initial) });
  const { title, description, proof, examples, settings } = tool;
  // A stored call that does not say whether it only reads is a change until its owner says otherwise.
  const isUnclear = unclearChange(settings, tool.changes) !== null;
  const changes = tool.changes || isUnclear;
  const degree = isUnclear && tool.degree === "itself" ? "asks" : tool.degree;
  const common = {
    ...structuredClone(empty),
    ...{ title, description, degree, changes, examples: blankExamples(examples) },
    scope: proof.everybody ? ("everybody" as const) : ("asker" as const),
    channelPhone: proof.channelPhone ?? "",
    asked: proof.asked.map((one) => ({ ...one })),
  };
  return { ...common, ...kindOf(settings.kind).valuesOf(settings) };
}

/** What the form and the contract call the settings of one kind. */
interface KindValues<Kind extends ToolKind> {
  valuesOf(settings: Extract<ShownSettings, { kind: Kind }>): Partial<ToolValues>;
  settingsOf(values: ToolValues): Extract<SettingsInput, { kind: Kind }>;
  /** The form's name of `shown`. */
  shown: "columns" | "places";
  /** What a new one holds besides. */
  initial?: Partial<ToolValues>;
  /** Whether its results are for everybody, so that nothing is to be proven. */
  forEverybody?: true;
  /** The form's name of a place in the settings. */
  place?: (path: string) => string | null;
}

const tableValues: KindValues<"table"> = {
  valuesOf({ keyColumn, shown, table: { sample: _, ...table } }) {
    return { table, keyColumn, columns: [...shown] };
  },
  settingsOf: ({ table, keyColumn, columns }) => ({
    ...{ kind: "table", tableId: table?.id ?? "", keyColumn, shown: columns },
  }),
  shown: "columns",
};

const httpValues: KindValues<"http"> = {
  valuesOf: ({ method, url, fields, headers, proxy, resultPath, shown, idempotent, ...settings }) => ({
    ...{ method, url, proxy: storedProxy(proxy), resultPath, idempotent },
    ...{ readsOnly: settings.readsOnly === true, reportsAll: settings.reportsAll === true },
    fields: fields.map(fieldValuesOf),
    headers: headers.map(({ name, missing }) => ({ name, value: "", stored: !missing, missing })),
    places: shown.map((place) => ({ ...place })),
  }),
  settingsOf: ({ method, url, idempotent, changes, readsOnly, resultPath, fields, places, headers, ...values }) => ({
    ...{ kind: "http", method, url, idempotent, resultPath: resultPath.trim(), shown: places },
    ...(method === "POST" && !changes && readsOnly && { readsOnly }),
    ...(places.length === 0 && values.reportsAll && { reportsAll: true }),
    ...proxyInput(values.proxy),
    fields: fields.map(fieldOf),
    headers: headers.map(({ name, value, stored, missing }) => ({
      name,
      ...(value !== "" || !(stored || missing) ? { value } : missing ? { missing } : {}),
    })),
  }),
  shown: "places",
};

const calendarValues: KindValues<"calendar"> = {
  valuesOf: ({ kind: _, host: __, calendar: ___, ...calendar }) => ({ calendar }),
  settingsOf: ({ calendar }) => ({ kind: "calendar", ...calendar }),
  shown: "places",
  initial: calendarWords.free,
  forEverybody: true,
  place: (path) =>
    path === "connectionId"
      ? "calendar.calendarUrl"
      : /^(calendarUrl|does|days|from|to|slotMinutes|daysAhead|noticeMinutes|timeZone)\b/.test(path)
        ? `calendar.${path.split(".")[0]}`
        : null,
};

const mcpValues: KindValues<"mcp"> = {
  valuesOf: ({ connectionId, name, fields, resultPath, shown, reportsAll = false }) => ({
    ...{ connectionId, actionName: name, resultPath, reportsAll, fields: fields.map(fieldValuesOf) },
    places: shown.map((place) => ({ ...place })),
  }),
  settingsOf: ({ connectionId, actionName, fields, resultPath, places, reportsAll }) => ({
    ...{ kind: "mcp", connectionId, name: actionName, fields: fields.map(fieldOf) },
    ...{ resultPath: resultPath.trim(), shown: places },
    ...(places.length === 0 && reportsAll && { reportsAll }),
  }),
  shown: "places",
};

const crmValues: KindValues<"crm"> = {
  valuesOf: ({ does, key, shown }) => ({ crm: { does, key, shown } }),
  settingsOf: ({ crm }) => ({ kind: "crm", ...crm }),
  shown: "places",
  initial: {
    ...crmWords.deal,
    channelPhone: "phone",
    asked: [{ label: "Последние 4 цифры телефона", source: "phone", compare: "last4" }],
  },
  place: (path) => (/^(does|key|shown)\b/.test(path) ? `crm.${path.split(".")[0]}` : null),
};

const questionValues: KindValues<"question"> = {
  valuesOf: ({ question, fields }) => ({ question: withWords(question, fields), fields: fields.map(fieldValuesOf) }),
  settingsOf: ({ question, fields }) => ({
    ...{ kind: "question", question: withNames(question, fields), fields: fields.map(fieldOf) },
  }),
  shown: "places",
  initial: { title: "Спросить владельца", degree: "asks" },
  forEverybody: true,
  place: (path) => (path === "question" ? path : null),
};

const KINDS: { [Kind in ToolKind]: KindValues<Kind> } = {
  table: tableValues,
  http: httpValues,
  mcp: mcpValues,
  calendar: calendarValues,
  crm: crmValues,
  question: questionValues,
};
const kindOf = (kind: ToolKind) => KINDS[kind] as KindValues<ToolKind>;

export const fieldValuesOf = (field: ToolField): FieldValues => ({ ...field, choices: field.choices.join("\n") });

export const fieldOf = ({ choices, ...field }: FieldValues): ToolField => ({
  ...field,
  choices: field.type === "choice" ? linesOf(choices) : [],
});

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The tool as it is sent. It may be invalid: `ToolInput` says where, by paths that `placeInForm` understands. */
export function inputOf(kind: ToolKind, values: ToolValues, enabled: boolean): ToolInput {
  const { title, description, degree, scope, channelPhone, asked, examples } = values;
  const changes = mayChange(kind) && values.changes;
  const isOpen = !changes && (scope === "everybody" || kindOf(kind).forEverybody === true);
  const proves = !changes && !isOpen;
  return {
    ...{ title, description, degree, changes, enabled },
    examples: examples.filter((example) => example.trim() !== ""),
    proof: {
      everybody: isOpen,
      channelPhone: proves && channelPhone !== "" ? channelPhone : null,
      asked: proves ? asked : [],
    },
    settings: kindOf(kind).settingsOf(values),
  };
}

/** Whether a result of this kind is for everybody, whatever its owner says. */
export const isForEverybody = (kind: ToolKind): boolean => kindOf(kind).forEverybody === true;

/** Whether a call of this kind can change anything. */
export const mayChange = (kind: ToolKind): boolean => !READING_KINDS.includes(kind);

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
  const own = kindOf(kind).place?.(place) ?? null;
  if (own !== null) return own;
  if (place === "tableId") return "table";
  if (/^shown/.test(place)) return kindOf(kind).shown === "columns" ? "columns" : place.replace(/^shown/, "places");
  return /^(title|description|degree|examples|keyColumn|method|url|fields|headers|proxy|resultPath|idempotent|readsOnly|reportsAll|changes)/.test(
    place,
  )
    ? place
    : null;
}
