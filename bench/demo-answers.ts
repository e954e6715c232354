// Records a capable model's answers for the demo's private person (server/demo/content/recorded-answers.ts). Run it with QUALITY_WAITING=DIR:
// prompts go to DIR/contacts/q and DIR/strangers/q, somebody who sees the prompts alone writes the completions into the folders `a` beside
// them, and the next run measures and stores them. To be done anew when the person's conversations change.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { loadDemoContent } from "#server/demo/content/demo-content.ts";
import {
  completed,
  digestTalk,
  RECORDED_ANSWERS,
  RECORDED_TWIN,
  type RecordedAnswer,
} from "#server/demo/content/recorded-answers.ts";
import { recordedGenerator } from "#server/demo/workspace/measure-demo-twin.ts";
import { startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { type CallBody, kindOf } from "./answers/strong/recorded-calls.ts";
import { learn, type Talk, twinOfTalks } from "./material/talking-twin.ts";
import { NOTHING } from "./quality/manner/waiting-calls.ts";

/** As many messages of strangers as a measurement asks a model about. */
const ASKED = { contacts: 100, strangers: 50 };

const waiting = process.env.QUALITY_WAITING;
if (waiting === undefined) throw new Error("QUALITY_WAITING names no folder");
const person = (await loadDemoContent()).find(({ slug }) => slug === RECORDED_TWIN)!;
const talks = [...Map.groupBy(person.conversations, ({ participantName }) => participantName)].map(
  ([name, parts]): Talk => ({
    name,
    kind: "private",
    lines: parts
      .flatMap(({ messages }) => messages)
      .map(({ fromOwner, text, sentAt }) => ({ author: fromOwner ? null : name, text, at: Date.parse(sentAt) }))
      .toSorted((a, b) => a.at - b.at),
  }),
);
const database = await wrapPglite(await startPglite());
const { name, description, personality, communicationStyle, purpose = "friends" } = person;
const twin = await twinOfTalks(
  database.db,
  talks,
  person.documents.map(({ content }) => content),
  { name, description, personality, communicationStyle, purpose },
);
await learn(database.db, twin);

const recorded: RecordedAnswer[] = [];
let missing = 0;
for (const audience of ["contacts", "strangers"] as const) {
  const folder = join(waiting, audience);
  for (const part of ["q", "a"]) mkdirSync(join(folder, part), { recursive: true });
  const written = readWritten(folder);
  // The newest message is asked first, and a writer reads the oldest first.
  let number = 1000;
  const generator = recordedGenerator(async (_input, init) => {
    const body = JSON.parse(String(init?.body)) as CallBody;
    // No verifier is asked: it can only have an answer written anew.
    if (kindOf(body) === "verdict") return Response.json({ error: { message: "no verifier" } }, { status: 503 });
    const talk = digestTalk(body.messages);
    const completion = written.get(talk);
    number--;
    if (completion !== undefined) {
      recorded.push({ audience, talk, completion });
      return completed(completion);
    }
    missing++;
    writeFileSync(join(folder, "q", `${number}-${talk}.json`), JSON.stringify(body));
    return completed(NOTHING);
  });
  const deps = { db: database.db, jobs: { enqueue: async () => {} }, generator, queryEmbedder: null, reranker: null };
  await measureFidelity(
    { ...deps, localModels: null, remoteGenerators: null },
    { ...twin.tenant, twinId: twin.twinId, only: audience },
    new AbortController().signal,
    { contacts: 0, strangers: 0, [audience]: ASKED[audience] },
  );
}
if (missing > 0) process.stdout.write(`${missing} prompts wait in ${waiting}; the figures mean nothing yet.\n`);
for (const measure of await database.db.select().from(fidelityMeasures)) {
  const { audience, value, low, high, verified, indistinguishable, copyRate, relevance, held, handedOver } = measure;
  process.stdout.write(
    `${JSON.stringify({ audience, value, low, high, verified, indistinguishable, copyRate, relevance, held, handedOver })}\n`,
  );
}
await database.close();
if (missing === 0) writeFileSync(RECORDED_ANSWERS, `${recorded.map((line) => JSON.stringify(line)).join("\n")}\n`);

/** Completions by the talk of their prompts. */
function readWritten(folder: string): Map<string, string> {
  const written = new Map<string, string>();
  for (const name of readdirSync(join(folder, "q"))) {
    const answer = join(folder, "a", name.replace(/json$/, "txt"));
    if (!existsSync(answer)) continue;
    const { messages } = JSON.parse(readFileSync(join(folder, "q", name), "utf8")) as CallBody;
    written.set(digestTalk(messages), readFileSync(answer, "utf8").trim());
  }
  return written;
}
