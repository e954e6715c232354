/** Makes fields of a tool from the JSON schema of a server's action: flat values only. */
import { TOOL_FIELDS_LIMIT, type ToolField } from "#contract/actions/tool-settings.ts";
import { visibleText } from "#server/knowledge/language/visible-text.ts";

export interface DerivedFields {
  fields: ToolField[];
  /** How values are sent that are no texts. */
  sent: Record<string, "number" | "boolean">;
  /** Optional fields that are not passed. */
  leftOut: string[];
  /** Why the action cannot be chosen, as a Russian sentence; null: it can. */
  refusal: string | null;
}

export const YES = "да";
export const NO = "нет";

const NAME = /^[a-z][a-z0-9_]{0,39}$/i;
/** Properties of a schema that are read. */
const MAX_PROPERTIES = 60;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function fieldsOfSchema(schema: unknown): DerivedFields {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = new Set(isObject(schema) && Array.isArray(schema.required) ? schema.required : []);
  const found: DerivedFields = { fields: [], sent: {}, leftOut: [], refusal: null };
  if (properties.length > MAX_PROPERTIES) return { ...found, refusal: "У действия слишком много полей" };
  // What is required comes first, so that the limit meets what may be left out.
  const inOrder = [...properties].sort(([one], [other]) => Number(required.has(other)) - Number(required.has(one)));
  for (const [name, property] of inOrder) {
    const isRequired = required.has(name);
    const read = NAME.test(name) && !/^proof\d$/i.test(name) ? fieldOf(name, property, isRequired) : null;
    if (read !== null && found.fields.length < TOOL_FIELDS_LIMIT) {
      found.fields.push(read.field);
      if (read.sent !== null) found.sent[name] = read.sent;
      continue;
    }
    const shown = textOf(name, 40);
    if (!isRequired) found.leftOut.push(shown);
    else
      found.refusal ??=
        read === null
          ? `Обязательное поле «${shown}» не простое: двойник передаёт только текст, число, выбор и да или нет`
          : `У действия больше ${TOOL_FIELDS_LIMIT} обязательных полей`;
  }
  const missing = [...required].find((name) => typeof name === "string" && !properties.some(([each]) => each === name));
  if (missing !== undefined) found.refusal ??= `Обязательное поле «${textOf(String(missing), 40)}» не описано`;
  return found;
}

function fieldOf(name: string, property: unknown, required: boolean) {
  const plain = withoutNull(property);
  if (plain === null) return null;
  const described = isObject(property) ? { ...property, ...plain } : plain;
  const label = textOf(described.title, 60) || textOf(name.replaceAll("_", " "), 60);
  const field: ToolField = {
    ...{ name, label, type: "text", required, description: textOf(described.description, 200), choices: [] },
  };
  switch (plain.type) {
    case "number":
    case "integer":
      return { field: { ...field, type: "number" as const }, sent: "number" as const };
    case "boolean":
      return { field: { ...field, type: "choice" as const, choices: [YES, NO] }, sent: "boolean" as const };
    case "string":
    case undefined: {
      if (plain.enum !== undefined) {
        const choices = choicesIn(plain.enum);
        return choices === null ? null : { field: { ...field, type: "choice" as const, choices }, sent: null };
      }
      return plain.type === undefined ? null : { field: { ...field, type: typeOf(plain.format) }, sent: null };
    }
    default:
      return null;
  }
}

const typeOf = (format: unknown): ToolField["type"] =>
  format === "date" || format === "time" || format === "email" ? format : "text";

/** «string or null», in both ways to write it, is a string that may be left out. */
function withoutNull(property: unknown): Json | null {
  if (!isObject(property) || "$ref" in property || "const" in property) return null;
  const variants = property.anyOf ?? property.oneOf;
  if (Array.isArray(variants)) {
    const rest = variants.filter((each) => !(isObject(each) && each.type === "null"));
    const [only] = rest;
    return rest.length === 1 && isObject(only) && !("anyOf" in only) && !("$ref" in only) ? only : null;
  }
  if (!Array.isArray(property.type)) return property;
  const types = property.type.filter((type) => type !== "null");
  return types.length === 1 ? { ...property, type: types[0] } : null;
}

function choicesIn(values: unknown): string[] | null {
  if (!Array.isArray(values)) return null;
  const texts = values.filter((value) => value !== null);
  const areTexts = texts.every(
    (value) => typeof value === "string" && value.trim() === value && value !== "" && value.length <= 60,
  );
  return areTexts && texts.length > 0 && texts.length <= 30 ? (texts as string[]) : null;
}

/** Visible characters in one line; "" for what is no text. */
export const textOf = (value: unknown, longest: number): string =>
  typeof value !== "string"
    ? ""
    : visibleText(value.slice(0, 4 * longest).toWellFormed())
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, longest)
        .toWellFormed();
