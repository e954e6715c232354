// How well a twin understands what customers ask (bench/answers/questions.ts): without a model, and with each that is named.
//   npm run bench:answers -- [--part dev|test|all] [--base NAME,…] [--every N] [--seconds N] [--show VERDICT] [--model FILE.gguf|URL#NAME]… [--threads N] [--room CHARACTERS] [--embeddings FILE.gguf|URL#NAME] [--reranker FILE.gguf]
// `--threads` and `--room` are a local model's: of the processor, and of the prompt's part that grows. `--model` is a file, or an OpenAI-compatible address with the model's name behind `#`; `--every` asks one question of N; a model is asked
// no further question after `--seconds`, and what it was asked is then asked without a model as well; `--show` prints the answers of that verdict, of dev alone.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { type Citations, planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import { localReranker } from "#server/knowledge/search/reranker.ts";
import { ModelHost } from "#server/models/host/model-host.ts";
import { checkModelFiles } from "#server/models/local/local-models.ts";
import { startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { openEmbeddings } from "./answers/embeddings.ts";
import { type Part, type Question, readBases } from "./answers/questions.ts";
import { askStrong } from "./answers/strong/ask-strong.ts";
import { fitTable } from "./answers/strong/fit.ts";
import { RecordedCalls } from "./answers/strong/recorded-calls.ts";
import { inLines, strongTable } from "./answers/strong/strong-table.ts";
import { Tally } from "./answers/tally.ts";
import { teachBase } from "./answers/taught-base.ts";
import { VERDICTS, type Verdict, verdictOf } from "./answers/verdict.ts";
import type { TalkingTwin } from "./material/talking-twin.ts";
import { askedModels, REPLY_MS } from "./model/asked-models.ts";
import { inTurns, timeLimit } from "./model/time-limit.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "test" },
    base: { type: "string" },
    every: { type: "string", default: "1" },
    seconds: { type: "string" },
    show: { type: "string" },
    model: { type: "string", multiple: true, default: [] },
    threads: { type: "string", default: "1" },
    room: { type: "string", default: "2000" },
    priority: { type: "string", default: "0" },
    embeddings: { type: "string" },
    reranker: { type: "string" },
    strong: { type: "boolean", default: false },
    hand: { type: "string", default: "strong" },
    relay: { type: "string" },
    together: { type: "string", default: "12" },
    fit: { type: "boolean", default: false },
  },
});
const part = values.part as Part | "all";
const say = (line: string) => process.stdout.write(`${line}\n`);
const shown = values.show as Verdict | "all" | undefined;
// What was looked at is tuned on.
if (shown !== undefined && part !== "dev") throw new Error("The test part is only counted: --show takes --part dev");
if (shown !== undefined && shown !== "all" && !VERDICTS.includes(shown)) throw new Error(`No verdict «${shown}»`);

const database = await wrapPglite(await startPglite());
const log = createLog("silent");
const jobs = await openJobs(database, log);
const calm = new AbortController().signal;
const SETTINGS = {
  embedder: null,
  reranker: null,
  // With more than are idle every token waits for the slowest thread.
  threads: Number(values.threads),
  contextTokens: 4096,
  timeoutSeconds: REPLY_MS / 1000,
  embeddingTimeoutMs: 1000,
  rerankerTimeoutMs: REPLY_MS,
};
const PATIENCE = {
  firstTokenMs: REPLY_MS,
  nextTokenMs: REPLY_MS,
  silentMs: REPLY_MS,
  waitMs: REPLY_MS,
  priority: Number(values.priority),
};
const queryEmbedder = values.embeddings === undefined ? null : await openEmbeddings(values.embeddings, log);
const every = Number(values.every);
const STRANGER = { kind: "stranger" } as const;
const reranker = values.reranker === undefined ? null : await openReranker(values.reranker);

async function openReranker(path: string) {
  const { memoryBytes, ...models } = await checkModelFiles({ ...SETTINGS, generator: null, reranker: path });
  const host = new ModelHost({ load: { ...models, threads: SETTINGS.threads }, memoryBytes, log, limits: PATIENCE });
  return localReranker({ host, timeoutMs: REPLY_MS, log });
}

async function answer(
  twin: TalkingTwin,
  question: Question,
  generator: Generator,
): Promise<{ text: string; fellBack: boolean } & Citations> {
  const { text: message, history } = question;
  const models = { db: database.db, generator, queryEmbedder, reranker, localModels: null, remoteGenerators: null };
  const reply = await planReplyAlone(models, twin.tenant, twin.twinId, {
    ...{ message, history, learnt: [], audience: STRANGER, seed: question.id },
  });
  const text = await reply.whole(calm);
  return { text, fellBack: reply.fellBack, ...reply.citationsOf(text) };
}

const bases = readBases().filter(({ name }) => values.base === undefined || values.base.split(",").includes(name));
const taught = new Map<string, TalkingTwin>();
for (const base of bases) taught.set(base.name, await teachBase(database, { jobs, queryEmbedder }, base));

// Of all bases together, for each begins with the same kinds of questions.
let counted = 0;
const questions = inTurns(
  bases.map(({ name, questions }) =>
    (part === "all" ? [...questions.dev, ...questions.test] : questions[part])
      .filter(() => counted++ % every === 0)
      .map((question) => ({ base: name, question })),
  ),
);
async function askHand(hand: string) {
  const [forAnswers, forVerdicts = forAnswers] = values.relay?.split(",") ?? [];
  const calls = new RecordedCalls(join(import.meta.dirname, "answers", "strong", `${hand}.jsonl`));
  const answered = await askStrong(questions, {
    ...{ db: database.db, calls, twinOf: (base) => taught.get(base)!, together: Number(values.together) },
    servers: forAnswers === undefined ? undefined : { answer: forAnswers, verdict: forVerdicts! },
  });
  return { calls, answered };
}

if (values.fit) {
  const [strong, flawed] = [await askHand("strong"), await askHand("flawed")];
  say(
    fitTable(
      strong.answered,
      flawed.answered.filter(({ failed }) => failed === null),
    ),
  );
  process.exit(0);
}
if (values.strong || values.relay !== undefined) {
  const { calls, answered } = await askHand(values.hand);
  say(strongTable(answered));
  if (calls.missing + calls.changed > 0)
    say(`\n${calls.missing} calls are not recorded; of ${calls.changed} the prompt has changed since.`);
  if (shown !== undefined) for (const one of answered) if (shown === "all" || one.verdict === shown) say(inLines(one));
  await jobs.stop(2000);
  await database.close();
  process.exit(0);
}
const withoutModel = embeddedGenerator();
await ask("no model", withoutModel, questions);
const models = await askedModels(values.model, {
  ...{ log, threads: SETTINGS.threads, priority: PATIENCE.priority, room: Number(values.room) },
});
for (const [name, generator] of models) {
  const asked = await ask(name, generator, questions, values.seconds);
  if (asked < questions.length) await ask("no model", withoutModel, questions.slice(0, asked));
}
await jobs.stop(2000);
await database.close();
process.exit(0);

/** @returns how many were asked in time */
async function ask(
  name: string,
  generator: Generator,
  those: typeof questions,
  seconds?: string | undefined,
): Promise<number> {
  const isOver = timeLimit(seconds);
  const tally = new Tally();
  const times: number[] = [];
  let fellBack = 0;
  for (const { base, question } of those) {
    if (isOver()) break;
    const begun = performance.now();
    const given = await answer(taught.get(base)!, question, generator);
    times.push(performance.now() - begun);
    if (given.fellBack) fellBack++;
    const verdict = verdictOf(question, given.text);
    tally.add({ kind: question.kind, verdict, confidence: given.confidence, basis: given.basis });
    if (shown === "all" || shown === verdict)
      say(
        `${verdict} ${given.confidence.toFixed(2)} ${given.basis} ${question.id} ${question.text}\n    → ${given.text}`,
      );
  }
  if (fellBack > 0) say(`\nThe model did not answer ${fellBack} times: those answers are the embedded engine's.`);
  const besides = `${queryEmbedder === null ? "" : " and embeddings"}${reranker === null ? "" : " and a reranker"}`;
  const asked = tally.total < those.length ? `the first ${tally.total} of ${those.length}` : `${tally.total}`;
  const half = (times.sort((a, b) => a - b)[times.length >> 1] ?? 0) / 1000;
  say(
    `\n${name}${besides}, ${part}: ${asked} questions of ${bases.length} bases; half within ${half.toFixed(1)} s\n\n${tally.byKind()}\n\n${tally.byConfidence()}\n\n${tally.statements()}`,
  );
  return tally.total;
}
