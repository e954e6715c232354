/** Conversations of the demo workspace: customers' messages to the chat widgets of its twins. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { demoSlugs } from "./demo-content.ts";

/** The name of one of the twin's documents, and words that identify a paragraph in it. */
const source = { document: z.optional(z.string()), quote: z.optional(z.string()) };

const Line = z.object({
  by: z.enum(["contact", "twin", "owner"]),
  /** Minutes before the time at which the workspace is filled. */
  ago: z.number(),
  text: z.string().check(z.minLength(1)),
  /** Confidence of one of the twin's answers, 0..1. An answer without a document and without `basis` is small talk. */
  confidence: z.optional(z.number()),
  basis: z.optional(z.enum(["unknown", "corrected"])),
  /** What the twin had written before the owner changed it and let it go; in a conversation with `autonomy` of `draft` alone. */
  was: z.optional(z.string().check(z.minLength(1))),
  /** What the owner has answered in «Пробелы» to what the twin did not know, and how many minutes before. */
  taught: z.optional(z.object({ text: z.string(), ago: z.number() })),
  ...source,
});

const DemoCustomer = z.object({
  twin: z.enum(demoSlugs),
  name: z.string().check(z.minLength(1)),
  /** What the twin may do without approval in this conversation; absent: it answers automatically, as the widget is set. */
  autonomy: z.optional(z.enum(["draft", "confident"])),
  /** Whether the owner has taken over. */
  takenOver: z.optional(z.boolean()),
  /** Whether the last message was read and needs no answer. */
  read: z.optional(z.boolean()),
  lines: z.array(Line).check(z.minLength(1)),
  /** The draft that waits for the owner; with an empty text, a question that he must answer himself. */
  draft: z.optional(
    z.object({
      text: z.string(),
      basis: z.enum(["knowledge", "quoted", "unknown"]),
      confidence: z.optional(z.number()),
      reason: z.optional(z.string()),
      ...source,
    }),
  ),
});
export type DemoCustomer = z.infer<typeof DemoCustomer>;

/** Rejects like `loadDemoContent`. */
export async function loadDemoInbox(): Promise<DemoCustomer[]> {
  const text = await readFile(join(import.meta.dirname, "inbox.json"), "utf8");
  return z.array(DemoCustomer).parse(JSON.parse(text));
}

const ArrivingMessage = z.object({
  twin: z.enum(demoSlugs),
  /** One of the inbox's customers writes in his conversation, anybody else begins one. */
  name: z.string().check(z.minLength(1)),
  text: z.string().check(z.minLength(1)),
});
export type ArrivingMessage = z.infer<typeof ArrivingMessage>;

/** What customers write while a user looks at the demo, in its order. Rejects like `loadDemoContent`. */
export async function loadArrivingMessages(): Promise<ArrivingMessage[]> {
  const text = await readFile(join(import.meta.dirname, "arriving.json"), "utf8");
  return z.array(ArrivingMessage).parse(JSON.parse(text));
}
