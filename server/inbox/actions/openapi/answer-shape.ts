/** The scalars of a JSON answer, as its schema has them: those nearest to the root first. */
import { jsonSchemaIn } from "./call-fields.ts";
import { type Json, lineOf, type OpenDocument, own, textAt } from "./open-document.ts";
import { typeOf, wholeSchema } from "./schema-field.ts";

export interface AnswerPlace {
  path: string;
  label: string;
}

const MAX_PLACES = 15;
const MAX_DEPTH = 5;
const MAX_VISITED = 300;
const KEY = /^[^\s.]{1,60}$/u;
/** Never proposed, whatever the description says. */
const SECRET = /passw|secret|token|api_?key|hash|salt/i;

export function answerShape(doc: OpenDocument, operation: Json): AnswerPlace[] {
  const responses = own(operation, "responses");
  const codes = Object.keys(Object(responses));
  const code =
    ["200", "201"].find((one) => codes.includes(one)) ?? codes.find((one) => /^2(?:\d\d|XX)$/i.test(one)) ?? "default";
  const response = doc.find(own(responses, code))?.value;
  const schema = own(response, "schema") ?? jsonSchemaIn(own(response, "content"));
  if (schema === undefined) return [];
  const places: AnswerPlace[] = [];
  const line: { schema: unknown; path: string[]; refs: readonly string[] }[] = [{ schema, path: [], refs: [] }];
  for (let at = 0; at < line.length && at < MAX_VISITED && places.length < MAX_PLACES; at++) {
    const { schema: here, path, refs } = line[at]!;
    const whole = wholeSchema(doc, here, refs);
    if (whole === null) continue;
    const type = typeOf(whole);
    if (type === "array") line.push({ schema: own(whole.schema, "items"), path: [...path, "0"], refs: whole.refs });
    else if (type === "object") {
      if (path.length >= MAX_DEPTH) continue;
      for (const [name, property] of whole.properties)
        if (KEY.test(name) && !SECRET.test(name) && own(property, "writeOnly") !== true)
          line.push({ schema: property, path: [...path, name], refs: whole.refs });
    } else if (path.length > 0 && path.length <= 8)
      places.push({ path: path.join("."), label: labelOf(whole.schema, path) });
  }
  return places;
}

function labelOf(schema: Json, path: readonly string[]): string {
  const said = lineOf(textAt(schema, "title") || textAt(schema, "description"), 200).replace(/\.$/, "");
  const named = path.findLast((key) => !/^\d+$/.test(key)) ?? "значение";
  return said !== "" && said.length <= 60 ? said : lineOf(named.replaceAll("_", " "), 60) || "значение";
}
