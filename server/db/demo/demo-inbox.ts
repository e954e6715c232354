/** The customers of the demo workspace, as they have written to the chats on its twins' sites. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { demoSlugs } from "./demo-content.ts";

/** A document of the twin by its name, and the words by which its paragraph is found. */
const source = { document: z.optional(z.string()), quote: z.optional(z.string()) };

const Line = z.object({
  by: z.enum(["contact", "twin", "owner"]),
  /** Minutes before the workspace is filled. */
  ago: z.number(),
  text: z.string().check(z.minLength(1)),
  /** Of the twin's answers; small talk unless it names a document or says otherwise. */
  confidence: z.optional(z.number()),
  basis: z.optional(z.literal("unknown")),
  ...source,
});

const DemoCustomer = z.object({
  twin: z.enum(demoSlugs),
  name: z.string().check(z.minLength(1)),
  /** What the twin may do in this talk by itself; absent: it answers by itself, as in the whole chat. */
  autonomy: z.optional(z.enum(["draft", "confident"])),
  /** The owner leads the talk himself. */
  takenOver: z.optional(z.boolean()),
  /** The last words need no answer, and were read. */
  read: z.optional(z.boolean()),
  lines: z.array(Line).check(z.minLength(1)),
  /** What waits for the owner: an answer to the last line, or a question for him to answer where the text is empty. */
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
