import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { ConversationPlatform, DocumentType } from "#contract/knowledge/knowledge.ts";
import { TwinInput } from "#contract/twins.ts";

/** The invented orders of the shop, as CSV. */
export const loadDemoOrders = (): Promise<Buffer> => readFile(join(import.meta.dirname, "shop-support/orders.csv"));

/** The folders beside this file, in the order in which the demo workspace shows its twins. */
export const demoSlugs = ["shop-support", "sales-manager", "private-person"] as const;
export type DemoSlug = (typeof demoSlugs)[number];

const DemoMessage = z.object({
  /** Whether the person whom the twin imitates wrote the message; false: the participant did. */
  fromOwner: z.boolean(),
  text: z.string().check(z.minLength(1)),
  /** ISO 8601 with the offset of Moscow, ascending within a conversation. */
  sentAt: z.iso.datetime({ offset: true }),
});

const DemoConversation = z.object({
  /** The same name in two conversations of a twin is the same person. */
  participantName: z.string().check(z.minLength(1)),
  platform: ConversationPlatform,
  messages: z.array(DemoMessage).check(z.minLength(1)),
});
export type DemoConversation = z.infer<typeof DemoConversation>;

const DemoQuestion = z.object({
  text: z.string().check(z.minLength(1)),
  /** fact: a document answers it; unknown: the twin cannot answer it; manner: it shows how the owner writes. */
  kind: z.enum(["fact", "unknown", "manner"]),
  /** Source of a regular expression (flags `iu`) that a right answer matches; null: any answer is accepted. */
  expect: z.nullable(z.string()),
});

/** One question of the test chat; `expect` is found in a document of the same twin. */
interface DemoQuestion {
  text: string;
  kind: "fact" | "unknown" | "manner";
  expect: RegExp | null;
}

const DemoOpened = z.object({
  /** Part of the one past reply that the owner has published. */
  said: z.string().check(z.minLength(5)),
  question: z.string().check(z.minLength(1)),
  reply: z.string().check(z.minLength(1)),
});
/** A past reply that its owner has published, in the wording that every contact may read. */
export type DemoOpened = z.infer<typeof DemoOpened>;

interface DemoDocument {
  name: string;
  type: DocumentType;
  tags: string[];
  /** Markdown; the first line is `# Title`. */
  content: string;
}

export interface DemoTwin extends TwinInput {
  slug: DemoSlug;
  ownerName: string;
  documents: DemoDocument[];
  conversations: DemoConversation[];
  questions: DemoQuestion[];
  opened: DemoOpened[];
}

const TwinFile = z.extend(TwinInput, {
  ownerName: z.string().check(z.minLength(1)),
  documents: z.array(
    z.object({
      file: z.string().check(z.regex(/^[a-z-]+\.md$/)),
      name: z.string().check(z.minLength(1)),
      type: DocumentType,
      tags: z.array(z.string()),
    }),
  ),
});
const ConversationsFile = z.array(DemoConversation);
const OpenedFile = z.record(z.enum(demoSlugs), z.array(DemoOpened));
const QuestionsFile = z.record(z.enum(demoSlugs), z.array(DemoQuestion));

async function readJson<Schema extends z.ZodMiniType>(schema: Schema, ...path: string[]): Promise<z.output<Schema>> {
  return schema.parse(JSON.parse(await readFile(join(import.meta.dirname, ...path), "utf8")));
}

/**
 * Loads the three twins of the demo workspace from the files beside this one.
 * Rejects with the file system's error when a document is missing, and with a ZodError when a file has another shape.
 */
export async function loadDemoContent(): Promise<DemoTwin[]> {
  const questions = await readJson(QuestionsFile, "questions.json");
  const opened = await readJson(OpenedFile, "opened.json");
  return Promise.all(
    demoSlugs.map(async (slug) => ({ ...(await loadTwin(slug, questions[slug])), opened: opened[slug] })),
  );
}

async function loadTwin(slug: DemoSlug, questions: z.infer<typeof DemoQuestion>[]): Promise<Omit<DemoTwin, "opened">> {
  const [{ documents, ...twin }, conversations] = await Promise.all([
    readJson(TwinFile, slug, "twin.json"),
    readJson(ConversationsFile, slug, "conversations.json"),
  ]);
  return {
    ...twin,
    slug,
    documents: await Promise.all(
      documents.map(async ({ file, ...described }) => ({
        ...described,
        content: await readFile(join(import.meta.dirname, slug, "documents", file), "utf8"),
      })),
    ),
    conversations,
    questions: questions.map(({ expect, ...question }) => ({
      ...question,
      expect: expect === null ? null : new RegExp(expect, "iu"),
    })),
  };
}
