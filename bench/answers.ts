// How well a twin understands what customers ask (bench/answers/questions.ts): without a model, and with each that is named.
//   npm run bench:answers -- [--part dev|test] [--base NAME] [--every N] [--show VERDICT] [--model FILE.gguf|URL#NAME]… [--embeddings FILE.gguf|URL#NAME]
// `--model` is a file, or an OpenAI-compatible address with the model's name behind `#`; `--every` asks one question of N; `--show` prints
// the answers of that verdict, of dev alone.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { asTenant, startPglite, wrapPglite } from "#server/db/database.ts";
import { openJobs } from "#server/jobs/queue.ts";
import { standaloneQuestion } from "#server/language/contextual-query.ts";
import { createLog } from "#server/log.ts";
import { checkModelFiles } from "#server/models/local-models.ts";
import { ModelHost } from "#server/models/model-host.ts";
import { embeddedGenerator } from "#server/replies/generators/embedded.ts";
import type { Generator } from "#server/replies/generators/generator.ts";
import { llmGenerator } from "#server/replies/generators/llm.ts";
import { localGenerator } from "#server/replies/generators/local.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import type { Grounds } from "#server/replies/reply.ts";
import { groundsOf, prepareReply, streamReply } from "#server/replies/reply.ts";
import { openMeanings } from "./answers/meanings.ts";
import { type Part, type Question, readBases } from "./answers/questions.ts";
import { Tally } from "./answers/tally.ts";
import { teachBase } from "./answers/taught-base.ts";
import { VERDICTS, type Verdict, verdictOf } from "./answers/verdict.ts";
import type { TalkingTwin } from "./talking-twin.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "test" },
    base: { type: "string" },
    every: { type: "string", default: "1" },
    show: { type: "string" },
    model: { type: "string", multiple: true, default: [] },
    embeddings: { type: "string" },
  },
});
const part = values.part as Part;
const say = (line: string) => process.stdout.write(`${line}\n`);
const shown = values.show as Verdict | "all" | undefined;
// What was looked at is tuned on.
if (shown !== undefined && part === "test") throw new Error("The test part is only counted: --show takes --part dev");
if (shown !== undefined && shown !== "all" && !VERDICTS.includes(shown)) throw new Error(`No verdict «${shown}»`);

const database = await wrapPglite(await startPglite());
const log = createLog("silent");
const jobs = await openJobs(database, log);
const calm = new AbortController().signal;
const REPLY_MS = 600_000;
const SETTINGS = {
  embedder: null,
  reranker: null,
  // With more a shared machine makes every token wait for the slowest thread.
  threads: 1,
  contextTokens: 4096,
  timeoutSeconds: REPLY_MS / 1000,
  embeddingTimeoutMs: 1000,
};
const PATIENCE = { firstTokenMs: REPLY_MS, nextTokenMs: REPLY_MS, silentMs: REPLY_MS, waitMs: REPLY_MS, priority: 15 };
const meanings = values.embeddings === undefined ? null : await openMeanings(values.embeddings, log);
const files = values.model.filter((given) => given.endsWith(".gguf"));
const every = Number(values.every);

async function answer(
  twin: TalkingTwin,
  question: Question,
  generator: Generator,
): Promise<{ text: string; fellBack: boolean } & Grounds> {
  const { tenant, twinId } = twin;
  const meaning = (await meanings?.of(standaloneQuestion(question.history, question.text))) ?? null;
  const request = await asTenant(database.db, tenant, async (tx) => {
    const { twin: answering, index } = await openTwin(tx, tenant, twinId);
    return prepareReply({
      twin: answering,
      index,
      message: question.text,
      history: question.history,
      learnt: [],
      meaning,
      audience: { kind: "stranger" },
      seed: question.id,
      generator: generator.name,
    });
  });
  let text = "";
  for await (const delta of streamReply(generator, request, calm)) text += delta;
  return { text, fellBack: generator.fellBack?.(request) ?? false, ...groundsOf(generator, request, text) };
}

const bases = readBases().filter(({ name }) => values.base === undefined || name === values.base);
const taught = new Map<string, TalkingTwin>();
for (const base of bases) taught.set(base.name, await teachBase(database, { jobs, meanings }, base));

const generators: [string, Generator][] = [
  ["no model", embeddedGenerator()],
  ...values.model
    .filter((given) => !files.includes(given))
    .map((given): [string, Generator] => {
      const [baseUrl, model = "model"] = given.split("#") as [string, string?];
      return [model, llmGenerator({ baseUrl, model, foreign: false })];
    }),
];
for (const path of files) {
  const { memoryBytes, ...models } = await checkModelFiles({ ...SETTINGS, generator: path });
  const host = new ModelHost({ load: { ...models, threads: SETTINGS.threads }, memoryBytes, log, limits: PATIENCE });
  // What is measured is the model, not how busy this machine is.
  generators.push([basename(path), localGenerator({ host, log, totalMs: REPLY_MS, readMs: REPLY_MS })]);
}
for (const [name, generator] of generators) {
  const tally = new Tally();
  let fellBack = 0;
  for (const base of bases) {
    for (const question of base.questions[part].filter((_, at) => at % every === 0)) {
      const given = await answer(taught.get(base.name)!, question, generator);
      if (given.fellBack) fellBack++;
      const verdict = verdictOf(question, given.text);
      tally.add(question.kind, verdict, given.confidence);
      if (shown === "all" || shown === verdict)
        say(
          `${verdict} ${given.confidence.toFixed(2)} ${given.basis} ${question.id} ${question.text}\n    → ${given.text}`,
        );
    }
  }
  if (fellBack > 0) say(`\nThe model did not answer ${fellBack} times: those answers are the embedded engine's.`);
  say(
    `\n${name}${meanings === null ? "" : " and embeddings"}, ${part}: ${tally.total} questions of ${bases.length} bases\n\n${tally.byKind()}\n\n${tally.byConfidence()}`,
  );
}
await jobs.stop(2000);
await database.close();
process.exit(0);
