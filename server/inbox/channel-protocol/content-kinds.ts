/**
 * The kinds of content that a platform's reader knows, and the result of each. A kind that is not in the table becomes a line that names
 * it, with the original kept, so that nothing of what a contact sends is lost. docs/formats.md lists these tables.
 */
import type { Inbound } from "./channel.ts";
import { keepableJson } from "./keepable-json.ts";
import { sanitizeText } from "./sanitize-text.ts";

/**
 * read: its words or facts stand in the conversation and are answered; line: its name stands there; unread: the line says that the twin
 * does not read it, and the original is kept; silent: it is not a person's message.
 */
export type Fate = "read" | "line" | "unread" | "silent";
export interface ContentKind {
  fate: Fate;
  /** As the conversation shows it: «Фото». */
  name: string;
  /** The facts that stand behind the name, such as a contact's number. */
  facts?(content: unknown): string;
}
export type ContentKinds = Readonly<Record<string, ContentKind>>;
export type Content = Pick<Inbound, "text" | "attachments" | "media" | "original">;

/** A longer line is cut, and its original is kept. */
const LINE_CHARS = 2000;
const CUT = "…";
const KIND_CHARS = 60;
export const NO_KIND = "вид не указан";

export const kindOf = (kinds: ContentKinds, kind: string): ContentKind | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;

/** @param kind the name of content that the reader does not know */
export const unreadLine = (kind: string): string =>
  `Сообщение, которого двойник не читает: ${sanitizeText(kind).slice(0, KIND_CHARS) || NO_KIND}`;

export const factsLine = (name: string, facts: string): string => {
  const said = sanitizeText(facts).replace(/\s+/g, " ");
  const shown = said.length <= LINE_CHARS ? said : `${said.slice(0, LINE_CHARS).toWellFormed()}${CUT}`;
  return shown === "" ? name : `${name}: ${shown}`;
};

/** Returns the line for content of a kind; null for silent content. */
export function lineFor(kinds: ContentKinds, kind: string, content?: unknown): string | null {
  const known = kindOf(kinds, kind);
  if (known === undefined) return unreadLine(kind);
  if (known.fate === "silent") return null;
  if (known.fate === "unread") return unreadLine(lowerFirst(known.name));
  return factsLine(known.name, known.facts?.(content) ?? "");
}

/** A proper name, such as «WhatsApp», keeps its capital. */
const lowerFirst = (name: string): string =>
  (/^[А-ЯЁ]/.test(name) ? name.slice(0, 1).toLowerCase() : name.slice(0, 1)) + name.slice(1);
const UNREAD = unreadLine("").slice(0, -NO_KIND.length);
const isIncomplete = (line: string): boolean =>
  line.startsWith(UNREAD) || (line.length > LINE_CHARS && line.endsWith(CUT));

/** Gives content without words or attachments a line, and keeps the original of what was not read. */
export function nothingLost(content: Content, original: unknown): Content {
  const said = content.text !== "" || content.attachments.length > 0;
  const whole = said ? content : { ...content, attachments: [unreadLine(NO_KIND)] };
  const kept = whole.attachments.some(isIncomplete) ? keepableJson(original) : null;
  return kept === null ? whole : { ...whole, original: kept };
}

/** Joins the parts that are texts, without empty ones. */
export const joined = (separator: string, ...parts: unknown[]): string =>
  parts
    .filter((part) => typeof part === "string" || typeof part === "number")
    .map((part) => sanitizeText(String(part)))
    .filter((part) => part !== "")
    .join(separator);

/** «55.75, 37.61»; "" when a coordinate is missing. */
export const coordinates = (latitude: unknown, longitude: unknown): string =>
  typeof latitude === "number" && typeof longitude === "number" ? `${latitude}, ${longitude}` : "";
