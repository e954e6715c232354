/** Loads conversations of the demo workspace: customers' messages to the chat widgets of its twins. */
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
  /** The twin's draft before the owner edited and sent it; only in a conversation with `autonomy` of `draft`. */
  was: z.optional(z.string().check(z.minLength(1))),
  /** The owner's answer in «Пробелы» to a question that the twin could not answer; `ago`: minutes before the workspace is filled. */
  taught: z.optional(z.object({ text: z.string(), ago: z.number() })),
  ...source,
});

const DemoCustomer = z.object({
  twin: z.enum(demoSlugs),
  name: z.string().check(z.minLength(1)),
  /** What the twin may send without approval in this conversation; absent: the widget's setting, automatic. */
  autonomy: z.optional(z.enum(["draft", "confident"])),
  takenOver: z.optional(z.boolean()),
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

export async function loadDemoInbox(): Promise<DemoCustomer[]> {
  const text = await readFile(join(import.meta.dirname, "inbox.json"), "utf8");
  return z.array(DemoCustomer).parse(JSON.parse(text));
}

const ArrivingMessage = z.object({
  twin: z.enum(demoSlugs),
  /** A customer of the inbox continues his conversation; any other name starts one. */
  name: z.string().check(z.minLength(1)),
  text: z.string().check(z.minLength(1)),
});
export type ArrivingMessage = z.infer<typeof ArrivingMessage>;

/** Loads the messages that customers write while a user looks at the demo, in order. Rejects like `loadDemoContent`. */
export async function loadArrivingMessages(): Promise<ArrivingMessage[]> {
  const text = await readFile(join(import.meta.dirname, "arriving.json"), "utf8");
  return z.array(ArrivingMessage).parse(JSON.parse(text));
}
