/** What of a JSON schema a person can say in a talk: one text, number or choice. */
import type { ToolField } from "#contract/actions/tool-settings.ts";
import { isObject, type Json, listAt, type OpenDocument, own, textAt } from "./open-document.ts";

export type FieldShape =
  | { kind: "field"; type: ToolField["type"]; choices: string[] }
  /** What it is instead, as a Russian noun phrase. */
  | { kind: "inexpressible"; what: string };

const MAX_PARTS = 20;

/** A schema with its references followed and its `allOf` joined; null: there is none here. */
export interface WholeSchema {
  schema: Json;
  properties: Map<string, unknown>;
  required: Set<string>;
  refs: readonly string[];
}

/** @param refs those that have led here */
export function wholeSchema(doc: OpenDocument, value: unknown, refs: readonly string[] = []): WholeSchema | null {
  const found = doc.find(value, refs);
  if (found === null) return null;
  const whole: WholeSchema = { schema: found.value, properties: new Map(), required: new Set(), refs: found.refs };
  for (const [name, property] of Object.entries(objectAt(found.value, "properties")))
    whole.properties.set(name, property);
  for (const name of listAt(found.value, "required")) if (typeof name === "string") whole.required.add(name);
  for (const part of listAt(found.value, "allOf").slice(0, MAX_PARTS)) join(whole, wholeSchema(doc, part, found.refs));
  const [only, ...others] = [...listAt(found.value, "oneOf"), ...listAt(found.value, "anyOf")].filter(
    (one) => own(one, "type") !== "null",
  );
  // «A text or null» is a text; of several shapes nobody knows which is meant.
  if (only !== undefined && others.length === 0) join(whole, wholeSchema(doc, only, found.refs));
  else if (only !== undefined && whole.properties.size === 0) whole.schema = { ...whole.schema, type: "several" };
  return whole;
}

function join(whole: WholeSchema, part: WholeSchema | null): void {
  if (part === null) return;
  whole.schema = { ...part.schema, ...whole.schema };
  whole.refs = [...new Set([...whole.refs, ...part.refs])];
  for (const [name, property] of part.properties) if (!whole.properties.has(name)) whole.properties.set(name, property);
  for (const name of part.required) whole.required.add(name);
}

const objectAt = (from: Json, key: string): Json => {
  const value = own(from, key);
  return isObject(value) ? value : {};
};

/** «string» of `"string"` and of `["string", "null"]`; "": nothing is said. */
export function typeOf({ schema, properties }: WholeSchema): string {
  const type = own(schema, "type");
  const named = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string" && one !== "null");
  if (named.length > 1) return "several";
  if (named.length === 1) return named[0] as string;
  if (properties.size > 0 || own(schema, "additionalProperties") !== undefined) return "object";
  return own(schema, "items") === undefined ? "" : "array";
}

const FORMATS: Record<string, ToolField["type"]> = { email: "email", date: "date", time: "time", phone: "phone" };

export function fieldShape(whole: WholeSchema | null): FieldShape {
  if (whole === null) return { kind: "inexpressible", what: "описано в другом месте" };
  const { schema } = whole;
  const format = textAt(schema, "format").toLowerCase();
  switch (typeOf(whole)) {
    case "boolean":
      return { kind: "inexpressible", what: "да или нет" };
    case "array":
      return { kind: "inexpressible", what: "список" };
    case "object":
      return { kind: "inexpressible", what: "вложенное поле" };
    case "several":
      return { kind: "inexpressible", what: "бывает разного вида" };
    case "file":
      return { kind: "inexpressible", what: "файл" };
    case "number":
    case "integer":
      return { kind: "field", type: "number", choices: [] };
    default:
      if (format === "binary" || format === "byte") return { kind: "inexpressible", what: "файл" };
      return { kind: "field", ...(choiceOf(schema) ?? { type: FORMATS[format] ?? "text", choices: [] }) };
  }
}

function choiceOf(schema: Json): { type: "choice"; choices: string[] } | null {
  const given = own(schema, "const") === undefined ? listAt(schema, "enum") : [own(schema, "const")];
  const choices = given.filter((one): one is string => typeof one === "string").map((one) => one.trim());
  const fits = choices.length === given.length && choices.every((one) => one !== "" && one.length <= 60);
  return fits && choices.length > 0 && choices.length <= 30 ? { type: "choice", choices } : null;
}
