/** A stranger's OpenAPI document as parsed JSON: own keys only, local references only, and a bounded number of steps for all of it. */
import { visibleText } from "#server/knowledge/language/visible-text.ts";

export type Json = Record<string, unknown>;

/** Why a description cannot be read, as a Russian sentence. */
export class UnreadableDescription extends Error {
  override name = "UnreadableDescription";
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const own = (from: unknown, key: string): unknown =>
  isObject(from) && Object.hasOwn(from, key) ? from[key] : undefined;

export const listAt = (from: unknown, key: string): unknown[] => {
  const list = own(from, key);
  return Array.isArray(list) ? list : [];
};

/** @returns "" for anything but a text */
export const textAt = (from: unknown, key: string): string => {
  const text = own(from, key);
  return typeof text === "string" ? text : "";
};

/** A stranger's words in one line, at most so many characters. */
export const lineOf = (text: string, longest: number): string =>
  visibleText(text.slice(0, 4 * longest).toWellFormed())
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest)
    .trim()
    .toWellFormed();

/** References and schemas that are followed in one document. Real ones of a megabyte take a tenth of it. */
const MAX_STEPS = 200_000;
const MAX_LINKS = 8;
const MAX_POINTER = 20;

export interface Found {
  value: Json;
  /** The references that led to it, which must not be followed again below it. */
  refs: readonly string[];
}

export class OpenDocument {
  readonly root: Json;
  #steps = 0;

  constructor(root: Json) {
    this.root = root;
  }

  /** Follows `$ref`s. @returns null for what is no object, stands in another file, or contains itself */
  find(value: unknown, refs: readonly string[] = []): Found | null {
    this.#count();
    let at = value;
    let seen = refs;
    for (let links = 0; links <= MAX_LINKS; links++) {
      if (!isObject(at)) return null;
      const ref = own(at, "$ref");
      if (typeof ref !== "string") return { value: at, refs: seen };
      if (seen.includes(ref)) return null;
      seen = [...seen, ref];
      at = this.#at(ref);
    }
    return null;
  }

  #at(ref: string): unknown {
    if (!ref.startsWith("#/")) return undefined;
    const keys = ref.slice(2).split("/");
    if (keys.length > MAX_POINTER) return undefined;
    let at: unknown = this.root;
    for (const key of keys) {
      this.#count();
      at = own(at, decoded(key));
    }
    return at;
  }

  #count(): void {
    this.#steps++;
    if (this.#steps > MAX_STEPS) throw new UnreadableDescription("Описание слишком запутанное: оставьте в нём нужное");
  }
}

function decoded(key: string): string {
  let plain = key;
  try {
    plain = decodeURIComponent(key);
  } catch {
    // A lone «%» stands for itself.
  }
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}
