// How a twin that has only its owner's chats answers what private people wrote: how much of it is answered by a past reply, whether that
// fits, and whether its confidence says so (bench/private-people/held-out-pairs.ts). Beside it twins of the chats of bench:answers, asked
// by their owners, where facts decide what is right and wrong.
//   BENCH_DATA=… npm run bench:private-people -- [--part dev|test] [--show] [--fit]
// `--show` prints what is repeated, of dev alone. `--fit` asks nobody and sets the estimate of `pairFit` beside the share that fits.
import { parseArgs } from "node:util";
import { eq } from "drizzle-orm";
import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import { planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import { probabilityOf } from "#server/answers/replies/wording/pair-fit.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { asTenant, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { readBases } from "./answers/questions.ts";
import { teachBase } from "./answers/taught-base.ts";
import { verdictOf } from "./answers/verdict.ts";
import { requirePublicTalks } from "./material/public-data.ts";
import { learn, type TalkingTwin, twinOfTalks } from "./material/talking-twin.ts";
import { nearestPairs } from "./private-people/fit.ts";
import { fitIn } from "./private-people/fit-among.ts";
import { type Part, readPrivatePeople } from "./private-people/held-out-pairs.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "dev" },
    show: { type: "boolean", default: false },
    fit: { type: "boolean", default: false },
  },
});
const part = values.part as Part;
if (part === "test" && values.show) throw new Error("The test part is only counted: --show takes --part dev");
requirePublicTalks();
const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const mean = (some: readonly number[]) =>
  some.length === 0 ? "–" : (some.reduce((sum, one) => sum + one, 0) / some.length).toFixed(2);

if (values.fit) {
  estimates();
  process.exit(0);
}

const database = await wrapPglite(await startPglite());
const { db } = database;
const jobs = await openJobs(database, createLog("silent"));
const models = {
  ...{ db, generator: embeddedGenerator(), queryEmbedder: null, reranker: null },
  ...{ localModels: null, remoteGenerators: null },
};
const calm = new AbortController().signal;

interface Answered {
  set: string;
  basis: string;
  confidence: number;
  fits: number;
}
const answered: Answered[] = [];

async function ask(twin: TalkingTwin, audience: Audience, message: string, history: HistoryTurn[], seed: string) {
  const reply = await planReplyAlone(models, twin.tenant, twin.twinId, {
    ...{ message, history, learnt: [], audience, seed, drafted: true },
  });
  const text = await reply.whole(calm);
  return { text, ...reply.citationsOf(text) };
}

function note(set: string, message: string, given: Awaited<ReturnType<typeof ask>>, fits: number) {
  const { basis, confidence, text } = given;
  answered.push({ set, basis, confidence, fits });
  if (values.show && basis === "recurring")
    say(`${confidence.toFixed(2)} ${fits.toFixed(1)} ${set}: ${oneLine(message)}\n    → ${oneLine(text)}`);
}

const oneLine = (text: string) => text.replaceAll("\n", " ⏎ ").slice(0, 150);

for (const person of readPrivatePeople(part)) {
  const twin = await twinOfTalks(db, person.talks);
  await learn(db, twin);
  const rows = await asTenant(db, twin.tenant, (tx) =>
    tx.select({ id: contacts.id, name: contacts.name }).from(contacts).where(eq(contacts.twinId, twin.twinId)),
  );
  const idOf = new Map(rows.map(({ id, name }) => [name, id]));
  const fits = fitIn(
    person.pairs.map(({ reply }) => reply),
    person.name,
  );
  for (const [at, { contact, history, incoming, reply }] of person.pairs.entries()) {
    // In the test chat the owner sees all; a message tried there has nothing before it.
    const byOwner = await ask(twin, { kind: "owner" }, incoming, [], `${person.name} ${at}`);
    note(`${person.set}, owner`, incoming, byOwner, fits(byOwner.text, reply, at));
    const contactId = idOf.get(contact);
    if (contactId === undefined) continue;
    const byContact = await ask(twin, { kind: "contact", contactId }, incoming, history, `${person.name} ${at}`);
    note(`${person.set}, contact`, incoming, byContact, fits(byContact.text, reply, at));
  }
}
for (const base of readBases()) {
  const twin = await teachBase(database, { jobs, queryEmbedder: null }, { ...base, documents: [] });
  for (const question of base.questions[part]) {
    const given = await ask(twin, { kind: "owner" }, question.text, question.history, question.id);
    note("business, owner, by facts", question.text, given, verdictOf(question, given.text) === "right" ? 1 : 0);
  }
}

say(`\n${part}: by chance a reply fits in .10, by facts in none\n`);
say(row(["set", "asked", "repeated", "of it fits", "confidence shown", "fits of what else is said"]));
say(row(["---", ..."12345".split("").map(() => "--:")]));
const sets = Map.groupBy(answered, ({ set }) => set);
for (const [set, these] of sets) {
  const repeated = these.filter(({ basis }) => basis === "recurring");
  const rest = these.filter(({ basis }) => basis !== "recurring");
  const confidence = mean(repeated.map((one) => one.confidence));
  const share = (some: readonly Answered[]) => mean(some.map(({ fits }) => fits));
  say(row([set, these.length, repeated.length, share(repeated), confidence, share(rest)]));
}
await jobs.stop(2000);
await database.close();
process.exit(0);

/** The estimate of the nearest past reply beside the share that fits, each exchange asked from a person's others. */
function estimates(): void {
  const BOUNDS = [0, 0.15, 0.2, 0.25, 0.3, 0.4, 1];
  const people = Map.groupBy(readPrivatePeople(part), ({ set }) => set);
  const bins = BOUNDS.slice(0, -1).map((from, at) => [from, BOUNDS[at + 1]!] as const);
  say(row([`${part}: estimate`, ...bins.map(([from, to]) => `${from}–${to}`)]));
  say(row(["---", ...bins.map(() => "--:")]));
  for (const [set, those] of people) {
    const nearest = those
      .flatMap(nearestPairs)
      .map(({ features, fits }) => ({ fits, likely: probabilityOf(features) }));
    const cells = bins.map(([from, to]) => {
      const these = nearest.filter(({ likely }) => likely >= from && likely < to).map(({ fits }) => fits);
      return `${mean(these)} of ${these.length}`;
    });
    say(row([set, ...cells]));
  }
}
