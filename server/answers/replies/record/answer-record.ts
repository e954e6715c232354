/**
 * The record that a capable model returns for one message: what its text does, which sources it used, how it calculated. Nothing else
 * decides what an answer means (docs/decisions/040-answer-records.md).
 */
import { z } from "zod";
import { type AnswerRecord, RECORD_KINDS } from "../recorded-answer.ts";

/** What of an answer is read; a longer one means that the model does not find an end. */
const MAX_MESSAGES = 6;
const MAX_ITEMS = 20;

const text = z.string().catch("");
const Sum = z.object({
  value: z.union([z.string(), z.number()]).transform(String),
  expression: z.union([z.string(), z.number()]).transform(String),
});
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
/** A list of names and values, as strict servers demand, or an object. */
const Arguments = z
  .union([
    z.array(z.object({ name: z.string(), value: scalar })),
    z.record(z.string(), scalar).transform((all) => Object.entries(all).map(([name, value]) => ({ name, value }))),
  ])
  .transform((all) => all.slice(0, MAX_ITEMS));
/** Tolerant where a model errs in form alone: one text for a list, digits for numbers, left-out fields. */
const Read = z.object({
  kind: z.enum(RECORD_KINDS),
  messages: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .transform((all) => all.map((one) => one.trim()).filter((one) => one !== ""))
    .pipe(z.array(z.string()).max(MAX_MESSAGES)),
  sources: z
    .array(z.union([z.number(), z.string().transform((one) => Number(one.replace(/[[\]\s]/g, "")))]))
    .catch([])
    .transform((all) => all.filter((one) => Number.isInteger(one)).slice(0, MAX_ITEMS)),
  sums: z
    .array(Sum)
    .catch([])
    .transform((all) => all.slice(0, MAX_ITEMS)),
  open: text,
  action: text,
  search: text,
  call: z
    .object({ tool: z.string(), arguments: Arguments })
    .nullish()
    .catch(null)
    .transform((call) => (call == null || call.tool.trim() === "" ? null : call)),
});

/** The same as a JSON schema, for servers that keep a model to one. Every field is required, as strict servers demand. */
export const RECORD_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["kind", "messages", "sources", "sums", "open", "action", "search"],
  properties: {
    kind: { type: "string", enum: [...RECORD_KINDS] },
    messages: { type: "array", items: { type: "string" } },
    sources: { type: "array", items: { type: "integer" } },
    sums: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["value", "expression"],
        properties: { value: { type: "string" }, expression: { type: "string" } },
      },
    },
    open: { type: "string" },
    action: { type: "string" },
    search: { type: "string" },
  },
} as const;

/** The record of a model that has tools. */
export const RECORD_SCHEMA_WITH_CALL = {
  ...RECORD_SCHEMA,
  required: [...RECORD_SCHEMA.required, "call"],
  properties: {
    ...RECORD_SCHEMA.properties,
    call: {
      type: "object",
      additionalProperties: false,
      required: ["tool", "arguments"],
      properties: {
        tool: { type: "string" },
        arguments: {
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["name", "value"],
            properties: { name: { type: "string" }, value: { type: "string" } },
          },
        },
      },
    },
  },
} as const;

/** Returns null for what is no record: plain text, broken JSON, an answer without any message. */
export function parseRecord(written: string): AnswerRecord | null {
  const parsed = jsonIn(written);
  if (parsed === undefined) return null;
  const { success, data } = Read.safeParse(parsed);
  if (!success) return null;
  const { call, ...record } = data;
  // Before a call there is nothing to say yet.
  if (call !== null) return { ...record, call };
  if (record.kind !== "unknown" && record.messages.length === 0) return null;
  return record.kind === "unknown" ? { ...record, messages: [] } : record;
}

/** The object in a model's output, whatever stands around it: a code fence, a sentence before it. */
export function jsonIn(written: string): unknown {
  const from = written.indexOf("{");
  const to = written.lastIndexOf("}");
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(written.slice(from, to + 1));
  } catch {
    return undefined;
  }
}
