/** Exports of Meta. */
import type { ImportEvent, ImportedMessage } from "#server/imports/formats/message.ts";
import { metaJson } from "#server/imports/formats/meta-json.ts";

export async function read(content: string, size = 64 * 1024): Promise<ImportEvent[]> {
  const bytes = Buffer.from(content);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: ImportEvent[] = [];
  for await (const event of metaJson.read(pieces(), {})) events.push(event);
  return events;
}
export const messagesOf = (events: ImportEvent[]): ImportedMessage[] =>
  events.flatMap((event) => (event.type === "message" ? [event.message] : []));
export const said = (content: unknown, more: object = {}) => ({
  sender_name: "Ivan",
  timestamp_ms: 1_710_000_000_000,
  content,
  ...more,
});
export const page = (messages: unknown, more: object = {}) =>
  JSON.stringify({ participants: [{ name: "Ivan" }, { name: "Anna" }], messages, title: "Ivan", ...more });
