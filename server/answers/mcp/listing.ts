/** Reads which actions a server offers: so many, each bounded. Its words are shown to the owner and never to a model. */
import { createHash } from "node:crypto";
import { OFFERS_LIMIT } from "#contract/actions/tool-connections.ts";
import type { ConnectionListing, StoredOffer } from "#server/platform/db/schema/tools.ts";
import { fieldsOfSchema, textOf } from "./fields.ts";
import type { Visit } from "./session.ts";
import { ServerTrouble } from "./trouble.ts";

/** Bytes of one page of a list, and characters of the schema of one action. */
const LISTING_BYTES = 512 * 1024;
const MAX_SCHEMA = 16_000;
const MAX_PAGES = 5;
/** Characters of a whole list that are kept. */
const MAX_LISTING = 250_000;

/** @throws ServerTrouble, or what came in the way: see `troubleOf` */
export async function readListing(visit: Visit): Promise<ConnectionListing> {
  const offers: StoredOffer[] = [];
  let cursor: string | null = null;
  let chars = 0;
  for (let page = 0; page < MAX_PAGES && offers.length < OFFERS_LIMIT; page++) {
    const params = cursor === null ? {} : { cursor };
    const answer = (await visit.request("tools/list", params, LISTING_BYTES)) as {
      tools?: unknown;
      nextCursor?: unknown;
    };
    if (!Array.isArray(answer.tools)) throw new ServerTrouble("lost", "По этому адресу отвечает не сервер MCP");
    for (const tool of answer.tools.slice(0, OFFERS_LIMIT - offers.length)) {
      const offer = offerOf(tool);
      if (offer === null || offers.some(({ name }) => name === offer.name)) continue;
      chars += JSON.stringify(offer).length;
      if (chars <= MAX_LISTING) offers.push(offer);
    }
    if (typeof answer.nextCursor !== "string" || answer.nextCursor.length > 1000) break;
    cursor = answer.nextCursor;
  }
  return { server: textOf(visit.server, 80), offers };
}

interface ListedTool {
  name?: unknown;
  title?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  annotations?: { title?: unknown; readOnlyHint?: unknown; destructiveHint?: unknown };
}

/** @returns null for what has no usable name */
export function offerOf(tool: unknown): StoredOffer | null {
  if (typeof tool !== "object" || tool === null) return null;
  const { name, title, description, inputSchema, annotations } = tool as ListedTool;
  if (typeof name !== "string" || !/^[\w.\-/]{1,128}$/.test(name)) return null;
  const schema = jsonOf(inputSchema);
  const read = fieldsOfSchema(schema === null ? {} : inputSchema);
  const hints = [annotations?.readOnlyHint === true, annotations?.destructiveHint === true];
  return {
    name,
    title: textOf(title, 80) || textOf(annotations?.title, 80) || name.slice(0, 80),
    description: textOf(description, 1000),
    ...read,
    refusal: schema === null ? "Описание полей этого действия слишком длинное" : read.refusal,
    readOnly: hints[0]!,
    mark: createHash("sha256")
      .update(
        JSON.stringify([
          schema,
          typeof title === "string" ? title : "",
          typeof description === "string" ? description : "",
          hints,
        ]),
      )
      .digest("hex"),
  };
}

/** @returns null for a schema that is too long, or nested too deep to be written */
function jsonOf(schema: unknown): string | null {
  try {
    const text = JSON.stringify(schema ?? {});
    return text.length > MAX_SCHEMA ? null : text;
  } catch {
    return null;
  }
}
