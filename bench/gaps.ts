// How many of a twin's gaps its owner closes with ten answers, and whether any unconfirmed fact is given.   npm run bench:gaps -- [--share
// 0.3] [--decisions 10] [--base NAME] [--seed NAME] [--embeddings FILE.gguf|URL#NAME] Each twin of bench:answers is asked first with all
// its knowledge; what it answers, in any of its wordings, is what its customers ask. Then a share of its knowledge is hidden and the same
// questions are asked again, each by a contact of its own. The simulated owner rejects quotations that do not help, and each time answers
// the gap at the top of his list with what was hidden; of the gaps that are offered beside it he ticks those all of whose facts his answer
// holds. His letters hold many of these facts too, which nobody may hear before he has confirmed them. Nothing is printed of any question:
// the test half is only counted.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { and, eq } from "drizzle-orm";
import type { Gap } from "#contract/gaps.ts";
import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import { type Citations, planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { closeGaps } from "#server/inbox/gaps/close-gaps.ts";
import { decideGap } from "#server/inbox/gaps/decide-gap.ts";
import { listGaps } from "#server/inbox/gaps/gaps.ts";
import { recordUnanswered } from "#server/inbox/unanswered/unanswered.ts";
import { asTenant, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, gapQuestions, outbox } from "#server/platform/db/schema/conversations.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { openEmbeddings } from "./answers/embeddings.ts";
import { type Base, type Question, readBases } from "./answers/questions.ts";
import { teachBase } from "./answers/taught-base.ts";
import { holds, plain, verdictOf } from "./answers/verdict.ts";
import { hidePart } from "./gaps/hidden-knowledge.ts";
import type { TalkingTwin } from "./material/talking-twin.ts";

const { values } = parseArgs({
  options: {
    share: { type: "string", default: "0.3" },
    decisions: { type: "string", default: "10" },
    base: { type: "string" },
    seed: { type: "string", default: "gaps" },
    embeddings: { type: "string" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const database = await wrapPglite(await startPglite());
const { db } = database;
const log = createLog("silent");
const jobs = await openJobs(database, log);
const calm = new AbortController().signal;
const queryEmbedder = values.embeddings === undefined ? null : await openEmbeddings(values.embeddings, log);
const models = {
  db,
  generator: embeddedGenerator(),
  queryEmbedder,
  reranker: null,
  localModels: null,
  remoteGenerators: null,
};
/** Nothing is sent here, so no channel is opened. */
const deps = { ...models, jobs, log } as unknown as AnswerDeps;
const STRANGER = { kind: "stranger" } as const;

interface Answered {
  text: string;
  citations: Citations;
}

async function ask({ tenant, twinId }: TalkingTwin, { text: message, history, id }: Question): Promise<Answered> {
  const asked = { message, history, audience: STRANGER };
  const answer = await planReplyAlone(models, tenant, twinId, { ...asked, seed: id });
  const text = await answer.whole(calm);
  return { text, citations: answer.citationsOf(text) };
}

const helps = (question: Question, { text }: Answered) => ["right", "quoted"].includes(verdictOf(question, text));

/** The questions of a base with their rewordings, which ask for the same facts. */
function wordingsOf(base: Base): Question[] {
  const own = [...base.questions.dev, ...base.questions.test].filter(({ facts }) => facts.length > 0);
  const others = ["rewordings.json", "held-out.json"].flatMap(
    (file) =>
      JSON.parse(readFileSync(join(import.meta.dirname, "corrections", file), "utf8")) as {
        asked: string;
        same: string[];
      }[],
  );
  return own.flatMap((question) => [
    question,
    ...(others.find(({ asked }) => asked === question.id)?.same ?? []).map((text, at) => ({
      ...question,
      id: `${question.id}/${at}`,
      text,
      history: [],
    })),
  ]);
}

/** Asks as a contact of its own. @returns whether it was left without an answer */
async function askedByContact(twin: TalkingTwin, integrationId: string, question: Question): Promise<boolean> {
  const { tenant, twinId } = twin;
  const orgId = tenant.organizationId;
  const given = await ask(twin, question);
  const rejected = given.citations.basis === "quoted" && !helps(question, given);
  const left = given.citations.basis === "unknown" || rejected;
  await asTenant(db, tenant, async (tx) => {
    const { id: contactId } = await buildContact(tx, { orgId, twinId }, { name: question.id });
    const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, { contactId, integrationId });
    const lines = [...question.history, { role: "user" as const, content: question.text }];
    await tx
      .insert(conversationMessages)
      .values(lines.map((line) => ({ orgId, conversationId, secrecy: "organization" as const, ...line })));
    if (left) await recordUnanswered(tx, { orgId, twinId, conversationId, said: question.text });
  });
  return left;
}

const holdsAll = (text: string, facts: readonly string[][]): boolean =>
  facts.every((spellings) => spellings.some((spelling) => holds(plain(text), plain(spelling))));

/** The hidden pieces that state the facts, as the owner would write them down; null: he does not know it either. */
function ownersAnswer({ facts }: Question, hidden: readonly string[]): string | null {
  const chosen = new Set<string>();
  for (const spellings of facts) {
    const piece = hidden.find((one) => spellings.some((spelling) => holds(plain(one), plain(spelling))));
    if (piece !== undefined) chosen.add(piece.replace(/^[\s*|-]+|[\s|]+$/g, "").replace(/\s*\|\s*/g, ", "));
  }
  if (chosen.size === 0) return null;
  return [...chosen].join(" ").slice(0, LONGEST_FACT.text);
}

interface Result {
  asked: number;
  left: number;
  gaps: number;
  decisions: number;
  closed: number;
  unconfirmed: number;
  /** Closed after each decision. */
  course: number[];
  pairs: Pairs;
  rest: Rest;
  /** Gaps that the owner said an answer fits as well. */
  ticked: number;
}

/** Messages that stay open, by why. */
interface Rest {
  /** Their gap was not among those decided on. */
  notOffered: number;
  /** The owner had nothing to write, or what he wrote was refused. */
  notAnswered: number;
  /** Their own gap was answered: what he wrote holds all that was asked for, and still it is not told. */
  notTold: number;
  /** Their own gap was answered with only a part of it. */
  partly: number;
}

/** Pairs of messages that were left without an answer: those that ask for the same facts, and those that ask for others. */
interface Pairs {
  same: number;
  sameTogether: number;
  others: number;
  othersTogether: number;
}

async function replay(base: Base): Promise<Result> {
  const all = await teachBase(database, { jobs, queryEmbedder }, base);
  const asked: Question[] = [];
  for (const question of wordingsOf(base)) if (helps(question, await ask(all, question))) asked.push(question);
  const { shown, hidden, visible } = hidePart(base, Number(values.share), values.seed);
  const twin = await teachBase(database, { jobs, queryEmbedder }, shown);
  const caller = { ...twin.tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "" } as Caller;
  const integrationId = await asTenant(db, twin.tenant, async (tx) => {
    const [made] = await tx
      .insert(integrations)
      .values({
        orgId: twin.tenant.organizationId,
        twinId: twin.twinId,
        platform: "telegram",
        autonomy: "draft",
        // Nothing is sent.
        credentials: Buffer.from("none"),
      })
      .returning({ id: integrations.id });
    return made!.id;
  });
  const left: Question[] = [];
  for (const question of asked) if (await askedByContact(twin, integrationId, question)) left.push(question);
  const data = { ...twin.tenant, twinId: twin.twinId };
  await closeGaps(deps, data, calm);
  const confirmed: string[] = [];
  const skipped = new Set<string>();
  const answered = new Set<string>();
  let ticked = 0;
  const course: number[] = [];
  let unconfirmed = await countUnconfirmed();
  const gaps = (await listGaps(db, caller, twin.twinId)).counts.open;
  const pairs = pairsOf(left, await gapsOfMessages());
  let decisions = 0;
  while (decisions < Number(values.decisions)) {
    const open = (await listGaps(db, caller, twin.twinId)).gaps.filter(({ id }) => !skipped.has(id));
    const [gap] = open;
    if (gap === undefined) break;
    decisions++;
    const question = left.find(({ text }) => gap.questions.some((one) => one.text === text));
    const text = question === undefined ? null : ownersAnswer(question, hidden);
    if (question === undefined || text === null) {
      skipped.add(gap.id);
    } else {
      const also = gap.near
        .filter((other) =>
          fits(
            text,
            open.find(({ id }) => id === other.id),
          ),
        )
        .map(({ id }) => id);
      const asked = question.text.slice(0, LONGEST_FACT.question);
      const answer = { decision: "answer", question: asked, text, scope: "everybody", also } as const;
      try {
        await decideGap({ db, jobs, queryEmbedder }, caller, twin.twinId, gap.id, answer);
        confirmed.push(text);
        answered.add(gap.id);
        ticked += also.length;
      } catch (error) {
        // A piece that names a contact is refused; a real owner would put it otherwise.
        if (!(error instanceof Problem)) throw error;
        skipped.add(gap.id);
      }
      await closeGaps(deps, data, calm);
    }
    course.push(await countClosed());
    unconfirmed += await countUnconfirmed();
  }
  const closed = course.at(-1) ?? 0;
  const rest = await whyOpen();
  return { asked: asked.length, left: left.length, gaps, decisions, closed, unconfirmed, course, pairs, rest, ticked };

  /** Whether the answer holds all that is asked for in a gap: only then the owner ticks it. */
  function fits(text: string, gap: Gap | undefined): boolean {
    const questions = left.filter((one) => gap?.questions.some((shown) => shown.text === one.text));
    return questions.length > 0 && questions.every(({ facts }) => holdsAll(text, facts));
  }

  async function whyOpen(): Promise<Rest> {
    const rest: Rest = { notOffered: 0, notAnswered: 0, notTold: 0, partly: 0 };
    const gapOf = await gapsOfMessages();
    const known = `${visible}\n${confirmed.join("\n")}`;
    for (const question of left) {
      if (helps(question, await ask(twin, question))) continue;
      const gap = gapOf.get(question.text) ?? "";
      if (skipped.has(gap)) rest.notAnswered++;
      else if (!answered.has(gap)) rest.notOffered++;
      else rest[holdsAll(known, question.facts) ? "notTold" : "partly"]++;
    }
    return rest;
  }

  /** By what was said. */
  async function gapsOfMessages(): Promise<Map<string, string | null>> {
    const rows = await asTenant(db, twin.tenant, (tx) =>
      tx
        .select({ said: gapQuestions.said, gapId: gapQuestions.gapId })
        .from(gapQuestions)
        .where(eq(gapQuestions.twinId, twin.twinId)),
    );
    return new Map(rows.map(({ said, gapId }) => [said, gapId]));
  }

  /** Messages that were left without an answer and get a right one now. */
  async function countClosed(): Promise<number> {
    let closed = 0;
    for (const question of left) if (helps(question, await ask(twin, question))) closed++;
    return closed;
  }

  /** Facts that stand in nothing that is shown or confirmed, said to a stranger or written into a draft for somebody. */
  async function countUnconfirmed(): Promise<number> {
    const known = `${visible}\n${plain(confirmed.join("\n"))}`;
    const drafts = await asTenant(db, twin.tenant, (tx) =>
      tx
        .select({ text: outbox.text, question: gapQuestions.said })
        .from(gapQuestions)
        .innerJoin(outbox, eq(outbox.id, gapQuestions.outboxId))
        .where(and(eq(gapQuestions.twinId, twin.twinId))),
    );
    let used = 0;
    for (const question of left) {
      const secret = question.facts.filter((spellings) => !spellings.some((one) => holds(known, plain(one))));
      if (secret.length === 0) continue;
      const said = [
        plain((await ask(twin, question)).text),
        ...drafts.filter((draft) => draft.question === question.text).map(({ text }) => plain(text)),
      ].filter((text) => text !== plain(question.text));
      const tells = (text: string) =>
        secret.some((spellings) =>
          // A number that the question names is not told by repeating it.
          spellings.some((one) => holds(text, plain(one)) && !holds(plain(question.text), plain(one))),
        );
      if (said.some(tells)) used++;
    }
    return used;
  }
}

/** What two questions ask for is the same where a fact of the one is a fact of the other. */
function pairsOf(questions: readonly Question[], gapOf: ReadonlyMap<string, string | null>): Pairs {
  const pairs: Pairs = { same: 0, sameTogether: 0, others: 0, othersTogether: 0 };
  const factsOf = ({ facts }: Question) => facts.map((spellings) => plain(spellings.join("/")));
  for (const [at, one] of questions.entries()) {
    for (const other of questions.slice(at + 1)) {
      const same = factsOf(one).some((fact) => factsOf(other).includes(fact));
      const together = gapOf.get(one.text) !== undefined && gapOf.get(one.text) === gapOf.get(other.text);
      pairs[same ? "same" : "others"]++;
      if (together) pairs[same ? "sameTogether" : "othersTogether"]++;
    }
  }
  return pairs;
}

const percent = (count: number, whole: number) => (whole === 0 ? "–" : `${((100 * count) / whole).toFixed(0)} %`);
const bases = readBases().filter(({ name }) => values.base === undefined || name === values.base);
say(
  `${(100 * Number(values.share)).toFixed(0)} % of the knowledge hidden, seed «${values.seed}»${queryEmbedder ? ", with embeddings" : ""}\n`,
);
say(
  "| base | asked | left without an answer | gaps | decisions | closed | after 5 | unconfirmed facts | same, in one gap | different, in one gap | fits too | open: not offered | no answer | not told | partly |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
);
const results: Result[] = [];
for (const base of bases) {
  const result = await replay(base);
  results.push(result);
  say(rowOf(base.name, result));
}
const sum = (of: (result: Result) => number) => results.reduce((total, one) => total + of(one), 0);
say(
  rowOf("**all**", {
    ...{ asked: sum((one) => one.asked), left: sum((one) => one.left), gaps: sum((one) => one.gaps) },
    ...{ decisions: Math.max(...results.map((one) => one.decisions)), closed: sum((one) => one.closed) },
    ...{ unconfirmed: sum((one) => one.unconfirmed), course: [] },
    pairs: {
      ...{ same: sum(({ pairs }) => pairs.same), sameTogether: sum(({ pairs }) => pairs.sameTogether) },
      ...{ others: sum(({ pairs }) => pairs.others), othersTogether: sum(({ pairs }) => pairs.othersTogether) },
    },
    ticked: sum(({ ticked }) => ticked),
    rest: {
      ...{ notOffered: sum(({ rest }) => rest.notOffered), notAnswered: sum(({ rest }) => rest.notAnswered) },
      ...{ notTold: sum(({ rest }) => rest.notTold), partly: sum(({ rest }) => rest.partly) },
    },
  }),
);
await jobs.stop(2000);
await database.close();
process.exit(0);

function rowOf(
  name: string,
  { asked, left, gaps, decisions, closed, course, unconfirmed, pairs, rest, ticked }: Result,
): string {
  const half = course.length === 0 ? "" : percent(course[4] ?? course.at(-1)!, left);
  return `| ${name} | ${asked} | ${left} | ${gaps} | ${decisions} | ${percent(closed, left)} | ${half} | ${unconfirmed} | ${pairs.sameTogether} of ${pairs.same} | ${pairs.othersTogether} of ${pairs.others} | ${ticked} | ${rest.notOffered} | ${rest.notAnswered} | ${rest.notTold} | ${rest.partly} |`;
}
