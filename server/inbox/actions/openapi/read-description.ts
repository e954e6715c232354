/** Reads an OpenAPI 3.0 or 3.1 or Swagger 2.0 document, JSON or YAML. Runs in a thread of its own, because the text is a stranger's. */
import { parse } from "yaml";
import type { OfferedCall, ToolDescription } from "#contract/actions/tool-import.ts";
import { answerShape } from "./answer-shape.ts";
import { callShape } from "./call-fields.ts";
import { distinctHeaders, securityOf } from "./needed-headers.ts";
import { isObject, type Json, lineOf, OpenDocument, own, textAt, UnreadableDescription } from "./open-document.ts";
import { ownServer, serversOf } from "./servers.ts";

export interface DescriptionTask {
  text: string;
  /** Where it was read; null: it was sent. */
  base: string | null;
  /** Calls that are listed. */
  most: number;
}

export type ReadDescription = ToolDescription | { refusal: string };

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

export default function readDescription(task: DescriptionTask): ReadDescription {
  try {
    return described(task);
  } catch (error) {
    if (error instanceof UnreadableDescription) return { refusal: error.message };
    // Nesting that is too deep for the parser, or for the walk.
    if (error instanceof RangeError) return { refusal: "Описание слишком запутанное: оставьте в нём нужное" };
    throw error;
  }
}

function described({ text, base, most }: DescriptionTask): ToolDescription {
  const root = parsed(text);
  const format = formatOf(root);
  const doc = new OpenDocument(root);
  const paths = own(root, "paths");
  const calls: OfferedCall[] = [];
  let total = 0;
  for (const [path, written] of Object.entries(isObject(paths) ? paths : {})) {
    if (!path.startsWith("/")) continue;
    const item = doc.find(written)?.value;
    if (item === undefined) continue;
    for (const method of METHODS) {
      if (!isObject(own(item, method))) continue;
      total++;
      if (calls.length < most) calls.push(offeredCall(doc, { method, path, item, base }));
    }
  }
  if (total === 0) throw new UnreadableDescription("В описании нет ни одного вызова");
  const title = lineOf(textAt(own(root, "info"), "title"), 100);
  return { title, format, servers: serversOf(root, base), calls, total };
}

function parsed(text: string): Json {
  const plain = text.replace(/^\ufeff/, "");
  let value: unknown;
  try {
    value = /^\s*\{/.test(plain) ? JSON.parse(plain) : fromYaml(plain);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // YAML in flow style begins like JSON.
    value = tried(() => fromYaml(plain));
  }
  if (!isObject(value)) throw new UnreadableDescription("Это не описание OpenAPI");
  return value;
}

/** Aliases may stand for a hundred nodes in all. The check for repeated keys would take the square of their number. */
const fromYaml = (text: string): unknown =>
  parse(text, { maxAliasCount: 100, uniqueKeys: false, prettyErrors: false, logLevel: "silent", schema: "core" });

function tried(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}

function formatOf(root: Json): string {
  // YAML reads an unquoted «2.0» as a number.
  const [open, swagger] = [own(root, "openapi"), own(root, "swagger")].map((one) => String(one ?? ""));
  if (/^3\.[01](?:\.\d{1,3})?$/.test(open!)) return `OpenAPI ${open!.slice(0, 3)}`;
  if (/^2(?:\.0)?$/.test(swagger!)) {
    root.swagger = "2.0";
    return "Swagger 2.0";
  }
  throw new UnreadableDescription("Это не описание OpenAPI 3.0, 3.1 или Swagger 2.0");
}

function offeredCall(
  doc: OpenDocument,
  { method, path, item, base }: { method: (typeof METHODS)[number]; path: string; item: Json; base: string | null },
): OfferedCall {
  const operation = item[method] as Json;
  const verb = method.toUpperCase() as OfferedCall["method"];
  const shape = callShape(doc, { method: verb, path, item, operation });
  const security = securityOf(doc, operation);
  const headers = distinctHeaders([...("headers" in security ? security.headers : []), ...shape.headers]);
  const hasBadHeader = headers.some(({ name }) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}$/.test(name));
  const impossible = hasBadHeader ? ["необычный заголовок"] : shape.problems;
  const said = lineOf(textAt(operation, "summary"), 80) || lineOf(textAt(operation, "operationId"), 80);
  const about = lineOf(textAt(operation, "description"), 500);
  return {
    ...{ method: verb, path: lineOf(path, 300), server: ownServer(operation, base) ?? ownServer(item, base) },
    target: shape.target.slice(0, 800),
    title: said || lineOf(`${verb} ${path}`, 80),
    description: about === said ? "" : about,
    changes: verb !== "GET",
    ...{ fields: shape.fields, headers, shown: answerShape(doc, operation) },
    omitted: shape.omitted.slice(0, 20),
    problem:
      "problem" in security
        ? security.problem
        : impossible.length > 0
          ? `Действие этого не отправит: ${impossible.slice(0, 3).join(", ")}`
          : shape.target.length > 800
            ? "Слишком длинный путь"
            : null,
  };
}
