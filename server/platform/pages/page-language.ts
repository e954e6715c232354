import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Languages of the web app besides Russian; each has a folder of its own in the build. */
const OTHER_LANGUAGES = ["en"];

/**
 * Returns the folder of the pages for a request, ending in «/»; "" is Russian. The cookie is set when a user chooses a language
 * (web/i18n/language.ts); the browser's own language affects only texts outside the screens.
 */
export function pageFolder(request: FastifyRequest): string {
  const chosen = request.cookies.language;
  return OTHER_LANGUAGES.find((language) => language === chosen)?.concat("/") ?? "";
}

/** Sends a page in the language of the request, which a shared cache must not store. */
export function sendPageFile(request: FastifyRequest, reply: FastifyReply, root: string, name: string): FastifyReply {
  const translated = pageFolder(request) + name;
  const vary = [reply.getHeader("vary"), "cookie"].flat().filter(Boolean).join(", ");
  reply.headers({ "cache-control": "no-cache", vary });
  return reply.sendFile(existsSync(join(root, translated)) ? translated : name);
}
