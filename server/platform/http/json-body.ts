import type { FastifyInstance } from "fastify";
import { invalid } from "#server/platform/errors.ts";

export const MAX_JSON_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Replaces Fastify's JSON parser by a strict one: valid UTF-8, at most 32 levels, no `__proto__` or `constructor` keys. NUL and lone
 * surrogates are refused, because PostgreSQL text can store neither. Bodies over 1 MiB are refused while they are read.
 */
export function acceptStrictJson(app: FastifyInstance): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MAX_JSON_BYTES },
    (_request, body, done) => {
      try {
        done(null, parseStrictJson(body as Buffer));
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  );
}

/** @throws Problem 400 with code `invalid_json` */
export function parseStrictJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw invalid("invalid_json", "Тело запроса не в кодировке UTF-8", { cause });
  }
  if (depthOf(text) > MAX_DEPTH) throw invalid("invalid_json", "Слишком глубокая вложенность JSON");
  let value: unknown;
  try {
    value = JSON.parse(text, refuseUnsafe);
  } catch (cause) {
    if (cause instanceof UnsafeJson) throw invalid("invalid_json", cause.message);
    // The cause is dropped: causes are logged, and V8's message quotes the text, which may contain a password.
    throw invalid("invalid_json", "Тело запроса не является правильным JSON");
  }
  return value;
}

class UnsafeJson extends Error {}

function refuseUnsafe(key: string, value: unknown): unknown {
  if (key === "__proto__" || key === "constructor" || key === "prototype")
    throw new UnsafeJson("Недопустимое имя поля");
  if (!isStorable(key) || (typeof value === "string" && !isStorable(value))) {
    throw new UnsafeJson("Недопустимые символы в тексте");
  }
  return value;
}

const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed();

/** Returns the nesting depth without parsing, because an array with 200,000 levels must not reach the parser. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}
