/** Parameters and the JSON body of a call as fields of a tool; what a tool cannot send is named. */

import type { NeededHeader } from "#contract/actions/tool-import.ts";
import { TOOL_FIELDS_LIMIT, type ToolField } from "#contract/actions/tool-settings.ts";
import { type Json, lineOf, listAt, type OpenDocument, own, textAt } from "./open-document.ts";
import { fieldShape, typeOf, wholeSchema } from "./schema-field.ts";

export interface CallShape {
  /** The path with the names of the tool's fields in braces, and what always stands in its query. */
  target: string;
  fields: ToolField[];
  headers: NeededHeader[];
  omitted: string[];
  /** Why it cannot be sent. */
  problems: string[];
}

/** Headers that the server itself sets, and those that name a format. */
const OWN_HEADERS = /^(?:host|content-.{1,40}|accept.{0,40}|connection|idempotency-key|user-agent)$/i;
const NAME = /^[a-z][a-z0-9_]{0,39}$/i;
const MAX_PARAMETERS = 100;

interface Wanted {
  name: string;
  required: boolean;
  schema: unknown;
  about: string;
}

/** @param method in capitals */
export function callShape(
  doc: OpenDocument,
  { method, path, item, operation }: { method: string; path: string; item: Json; operation: Json },
): CallShape {
  const shape: CallShape = { target: path, fields: [], headers: [], omitted: [], problems: [] };
  const parameters = parametersOf(doc, item, operation);
  const at = (place: string) => parameters.filter((one) => textAt(one, "in") === place);
  setPath(doc, shape, at("path"));
  const inBody = method !== "GET" && method !== "DELETE";
  const query: string[] = [];
  for (const wanted of at("query").map(wantedOf)) {
    const only = onlyValue(doc, wanted);
    if (wanted.required && only !== null) query.push(`${encodeURIComponent(wanted.name)}=${encodeURIComponent(only)}`);
    else if (!inBody) addField(doc, shape, wanted, "параметр");
    // Fields that the address does not name would go into the body.
    else if (!wanted.required) shape.omitted.push(`параметр ${quoted(wanted.name)}`);
    else if (addField(doc, shape, wanted, "параметр")) query.push(`${wanted.name}={${wanted.name}}`);
  }
  if (query.length > 0) shape.target += `${shape.target.includes("?") ? "&" : "?"}${query.join("&")}`;
  for (const wanted of at("header").map(wantedOf)) {
    if (OWN_HEADERS.test(wanted.name)) continue;
    if (!wanted.required) shape.omitted.push(`заголовок ${quoted(wanted.name)}`);
    else shape.headers.push({ name: lineOf(wanted.name, 60), scheme: "plain", about: lineOf(wanted.about, 200) });
  }
  for (const { name, required } of at("cookie").map(wantedOf))
    (required ? shape.problems : shape.omitted).push(`cookie ${quoted(name)}`);
  addBody(doc, shape, { method, operation, parameters });
  fitFields(shape);
  if (/[\s#]/.test(shape.target) || !shape.target.startsWith("/")) shape.problems.push("необычный путь");
  return shape;
}

/** Those of the operation stand before those of its path, which they replace by name and place. */
function parametersOf(doc: OpenDocument, item: Json, operation: Json): Json[] {
  const kept = new Map<string, Json>();
  for (const one of [...listAt(item, "parameters"), ...listAt(operation, "parameters")].slice(0, MAX_PARAMETERS)) {
    const value = doc.find(one)?.value;
    if (value !== undefined && textAt(value, "name") !== "")
      kept.set(`${textAt(value, "in")} ${textAt(value, "name")}`, value);
  }
  return [...kept.values()];
}

const wantedOf = (parameter: Json): Wanted => ({
  name: textAt(parameter, "name"),
  required: own(parameter, "required") === true,
  // In Swagger 2.0 the parameter is its own schema.
  schema: own(parameter, "schema") ?? own(Object.values(Object(own(parameter, "content")))[0], "schema") ?? parameter,
  about: textAt(parameter, "description"),
});

/** The value that a parameter always has: a version, a format. */
function onlyValue(doc: OpenDocument, { schema }: Wanted): string | null {
  const shape = fieldShape(wholeSchema(doc, schema));
  return shape.kind === "field" && shape.choices.length === 1 ? shape.choices[0]! : null;
}

function setPath(doc: OpenDocument, shape: CallShape, parameters: readonly Json[]): void {
  const declared = new Map(parameters.map((one) => [textAt(one, "name"), wantedOf(one)]));
  const used = new Map<string, string>();
  shape.target = shape.target.replace(/\{([^{}/]{1,100})\}/g, (_, name: string) => {
    const known = used.get(name) ?? freeName(name, [...used.values()]);
    used.set(name, known);
    return `{${known}}`;
  });
  for (const [given, name] of used) {
    const wanted = declared.get(given) ?? { name: given, required: true, schema: {}, about: "" };
    addField(doc, shape, { ...wanted, name, required: true }, "часть пути");
  }
  if (/[{}]/.test(shape.target.replace(/\{[A-Za-z][A-Za-z0-9_]{0,39}\}/g, ""))) shape.problems.push("необычный путь");
}

/** The name of a part of the path stands nowhere but in our own address, so it may be another one. */
function freeName(name: string, used: readonly string[]): string {
  const plain = name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^[^A-Za-z]+/, "")
    .slice(0, 30)
    .replace(/_$/, "");
  const base = plain === "" || /^proof\d$/i.test(plain) ? `part_${plain}`.replace(/_$/, "") : plain;
  for (let at = 1; ; at++) {
    const free = at === 1 ? base : `${base}_${at}`;
    if (!used.some((one) => one.toLowerCase() === free.toLowerCase())) return free;
  }
}

/** @returns whether it is a field now; otherwise it is named in what is left out, or in what is impossible */
function addField(doc: OpenDocument, shape: CallShape, wanted: Wanted, kind: string): boolean {
  const { name, required } = wanted;
  const found = fieldShape(wholeSchema(doc, wanted.schema));
  const isTaken = shape.fields.some((field) => field.name.toLowerCase() === name.toLowerCase());
  const why =
    !NAME.test(name) || /^proof\d$/i.test(name)
      ? "такое имя действие не отправляет"
      : isTaken
        ? "имя повторяется"
        : found.kind === "inexpressible"
          ? found.what
          : null;
  if (why !== null || found.kind === "inexpressible") {
    (required ? shape.problems : shape.omitted).push(`${kind} ${quoted(name)} (${why})`);
    return false;
  }
  const about = lineOf(wanted.about, 200);
  const label = about !== "" && about.length <= 60 ? about.replace(/\.$/, "") : lineOf(name.replaceAll("_", " "), 60);
  shape.fields.push({
    name,
    label: label || name,
    type: found.type,
    required,
    description: about === label ? "" : about,
    choices: found.choices,
  });
  return true;
}

const JSON_TYPE = /^application\/(?:[\w.-]{1,60}\+)?json(?:$|[; ])/i;

/** The schema of a JSON body or answer; undefined: it is none of JSON. */
export function jsonSchemaIn(content: unknown): unknown {
  for (const [type, media] of Object.entries(Object(content)).slice(0, 20))
    if (JSON_TYPE.test(type) || type === "*/*") return own(media, "schema") ?? {};
  return undefined;
}

function addBody(
  doc: OpenDocument,
  shape: CallShape,
  { method, operation, parameters }: { method: string; operation: Json; parameters: readonly Json[] },
): void {
  const body = doc.find(own(operation, "requestBody"))?.value;
  const swagger = parameters.find((one) => textAt(one, "in") === "body");
  const forms = parameters.filter((one) => textAt(one, "in") === "formData");
  if (body === undefined && swagger === undefined && forms.length === 0) return;
  const required = own(body, "required") === true || own(swagger, "required") === true || forms.length > 0;
  const schema = swagger === undefined ? jsonSchemaIn(own(body, "content")) : (own(swagger, "schema") ?? {});
  const whole = wholeSchema(doc, schema);
  const why =
    method === "GET" || method === "DELETE"
      ? "тело запроса"
      : forms.length > 0 || schema === undefined
        ? "тело запроса другого вида"
        : whole === null || !["object", ""].includes(typeOf(whole))
          ? "тело запроса не из отдельных полей"
          : null;
  if (why !== null || whole === null) {
    (required ? shape.problems : shape.omitted).push(why ?? "тело запроса");
    return;
  }
  for (const [name, property] of [...whole.properties].slice(0, MAX_PARAMETERS)) {
    const known = wholeSchema(doc, property, whole.refs);
    if (own(known?.schema, "readOnly") === true) continue;
    const about = textAt(known?.schema, "title") || textAt(known?.schema, "description");
    addField(doc, shape, { name, required: whole.required.has(name), schema: property, about }, "поле");
  }
}

/** Required fields first; optional ones as far as they fit. */
function fitFields(shape: CallShape): void {
  const fields = [
    ...shape.fields.filter(({ required }) => required),
    ...shape.fields.filter(({ required }) => !required),
  ];
  const left = fields.slice(TOOL_FIELDS_LIMIT);
  shape.fields = fields.slice(0, TOOL_FIELDS_LIMIT);
  if (left.some(({ required }) => required)) shape.problems.push(`больше ${TOOL_FIELDS_LIMIT} обязательных полей`);
  else for (const { name } of left) shape.omitted.push(`поле ${quoted(name)}`);
}

const quoted = (name: string): string => `«${lineOf(name, 40)}»`;
