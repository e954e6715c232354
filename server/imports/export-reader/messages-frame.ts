/** Encodes messages between a reading process and the server as plain arrays, which are shorter and faster than objects. */
import { MEDIA_KINDS, type MediaKind } from "#contract/media-kinds.ts";
import type { AttachedFile, ImportedKind, ImportedMessage } from "#server/imports/formats/message.ts";

const KINDS = new Set<unknown>(["text", "said", "forward", "media", "service"] satisfies ImportedKind[]);

type Row = [
  chatId: string,
  externalId: string | null,
  authorId: string,
  authorName: string,
  sentAt: number | null,
  text: string,
  replyTo: string | null,
  kind: ImportedKind,
  line: number,
  attached: AttachedRow[] | null,
];

type AttachedRow = [kind: MediaKind, name: string, bytes: number, file: number];

export const rowOf = (message: ImportedMessage): Row => [
  message.chatId,
  message.externalId,
  message.authorId,
  message.authorName,
  message.sentAt?.getTime() ?? null,
  message.text,
  message.replyTo,
  message.kind,
  message.line,
  message.attached?.map(attachedRowOf) ?? null,
];

const attachedRowOf = ({ kind, name, bytes, file = 0 }: AttachedFile): AttachedRow => [kind, name, bytes, file];

/** @throws Error for malformed data, because the reading process has processed an untrusted file */
export function messagesOf(body: Buffer): ImportedMessage[] {
  const rows = JSON.parse(body.toString("utf8")) as unknown;
  if (!Array.isArray(rows)) throw new Error("Messages were expected");
  return rows.map(messageOf);
}

function messageOf(row: unknown): ImportedMessage {
  if (!isRow(row)) throw new Error("A message of another shape");
  const [chatId, externalId, authorId, authorName, sentAt, text, replyTo, kind, line, attached] = row;
  return {
    chatId,
    externalId,
    authorId,
    authorName,
    sentAt: sentAt === null ? null : new Date(sentAt),
    text,
    replyTo,
    kind,
    line,
    ...(attached === null
      ? {}
      : { attached: attached.map(([kind, name, bytes, file]) => ({ kind, name, bytes, file })) }),
  };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

const isRow = (row: unknown): row is Row =>
  Array.isArray(row) &&
  isText(row[0]) &&
  isTextOrNull(row[1]) &&
  isText(row[2]) &&
  isText(row[3]) &&
  (row[4] === null || Number.isFinite(row[4])) &&
  isText(row[5]) &&
  isTextOrNull(row[6]) &&
  KINDS.has(row[7]) &&
  Number.isFinite(row[8]) &&
  (row[9] === null || (Array.isArray(row[9]) && row[9].every(isAttached)));

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isAttached = (row: unknown): boolean =>
  Array.isArray(row) &&
  MEDIA_KINDS.includes(row[0] as MediaKind) &&
  isText(row[1]) &&
  isWhole(row[2]) &&
  isWhole(row[3]);
