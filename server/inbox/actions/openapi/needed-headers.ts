/** Which headers the security schemes of a call ask for. */
import type { NeededHeader } from "#contract/actions/tool-import.ts";
import { isObject, type Json, lineOf, type OpenDocument, own, textAt } from "./open-document.ts";

export type Security = { headers: NeededHeader[] } | { problem: string };

const MAX_CHOICES = 20;

/** The first of the allowed ways that a tool can go. */
export function securityOf(doc: OpenDocument, operation: Json): Security {
  const asked = own(operation, "security") ?? own(doc.root, "security");
  if (!Array.isArray(asked) || asked.length === 0) return { headers: [] };
  const ways = asked
    .slice(0, MAX_CHOICES)
    .filter(isObject)
    .map((way) => wayOf(doc, Object.keys(way)));
  const open = ways.find((way) => "headers" in way && way.headers.length === 0);
  return open ?? ways.find((way) => "headers" in way) ?? ways[0] ?? { headers: [] };
}

function wayOf(doc: OpenDocument, names: readonly string[]): Security {
  const schemes = own(own(doc.root, "components"), "securitySchemes") ?? own(doc.root, "securityDefinitions");
  const headers: NeededHeader[] = [];
  for (const name of names.slice(0, MAX_CHOICES)) {
    const scheme = doc.find(own(schemes, name))?.value;
    if (scheme === undefined) return { problem: "Способ входа не описан" };
    const header = headerOf(scheme);
    if (typeof header === "string") return { problem: header };
    headers.push(header);
  }
  return { headers };
}

/** @returns why there is none, as a Russian sentence */
function headerOf(scheme: Json): NeededHeader | string {
  const about = lineOf(textAt(scheme, "description"), 200);
  const name = lineOf(textAt(scheme, "name"), 60);
  const bearer = { name: "Authorization", scheme: "bearer" as const, about };
  switch (textAt(scheme, "type")) {
    case "apiKey":
      if (textAt(scheme, "in") === "header") return { name, scheme: "plain", about };
      if (textAt(scheme, "in") === "cookie") return "Ключ передаётся в cookie";
      // An address is shown and logged, so it is no place for a secret.
      return "Ключ передаётся в адресе, а там он не секрет";
    case "basic":
      return { name: "Authorization", scheme: "basic", about };
    case "http": {
      const how = textAt(scheme, "scheme").toLowerCase();
      if (how === "bearer") return bearer;
      return how === "basic"
        ? { name: "Authorization", scheme: "basic", about }
        : { name: "Authorization", scheme: "plain", about };
    }
    case "oauth2":
    case "openIdConnect":
      return bearer;
    default:
      return "Нужен вход, который действие не выполняет";
  }
}

/** Names of headers differ by nothing but their case. */
export function distinctHeaders(headers: readonly NeededHeader[]): NeededHeader[] {
  const byName = new Map<string, NeededHeader>();
  for (const header of headers) {
    const key = header.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, header);
  }
  return [...byName.values()].slice(0, 10);
}
