import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { invalid, Problem } from "#server/platform/errors.ts";

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

/**
 * Replaces the JSON parser of a scope whose callers are other people's programs: half an emoji and NUL in their texts are replaced instead
 * of refused, any name of a field but `__proto__` is taken, and a body may be compressed.
 */
export function acceptForeignJson(scope: FastifyInstance): void {
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MAX_JSON_BYTES },
    (_request, body, done) => {
      try {
        done(null, parseForeignJson(body as Buffer));
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  );
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const encoding = request.headers["content-encoding"]?.trim().toLowerCase();
    if (encoding === undefined || encoding === "identity") return payload;
    const decoder = DECODERS[encoding]?.();
    if (decoder === undefined) {
      throw new Problem(415, "unsupported_media_type", "Тело запроса бывает сжато только gzip, deflate или br");
    }
    // Fastify compares the length of the header with what has come in, and the limit with what has come out.
    let received = 0;
    payload.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    const whole = Object.defineProperty(decoder, "receivedEncodedLength", { get: () => received });
    payload.on("error", (error) => decoder.destroy(error));
    decoder.on("error", () => {});
    return payload.pipe(whole) as typeof payload;
  });
}

const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** @throws Problem 400 with code `invalid_json` */
export const parseForeignJson = (body: Buffer): unknown => parseJson(body, cleaned);

/** @throws Problem 400 with code `invalid_json` */
export const parseStrictJson = (body: Buffer): unknown => parseJson(body, refuseUnsafe);

function parseJson(body: Buffer, revive: (key: string, value: unknown) => unknown): unknown {
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
    value = JSON.parse(text, revive);
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

function cleaned(key: string, value: unknown): unknown {
  if (key === "__proto__") return undefined;
  return typeof value === "string" && !isStorable(value) ? value.toWellFormed().replaceAll("\u0000", "") : value;
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
