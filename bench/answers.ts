// How well a twin understands what customers ask (bench/answers/questions.ts): without a model, and with each that is named.
//   npm run bench:answers -- [--part dev|test] [--base NAME] [--show VERDICT] [--model URL#NAME]…
// `--model` is an OpenAI-compatible address with the model's name behind `#`; `--show` prints the answers of that verdict, of dev alone.
import { parseArgs } from "node:util";
import { asTenant, startPglite, wrapPglite } from "#server/db/database.ts";
import { embeddedGenerator } from "#server/engine/generators/embedded.ts";
import type { Generator } from "#server/engine/generators/generator.ts";
import { llmGenerator } from "#server/engine/generators/llm.ts";
import type { Grounds } from "#server/engine/reply.ts";
import { groundsOf, prepareReply, streamReply } from "#server/engine/reply.ts";
import { openTwin } from "#server/engine/twin-index.ts";
import { openJobs } from "#server/jobs/queue.ts";
import { createLog } from "#server/log.ts";
import { type Part, type Question, readBases } from "./answers/questions.ts";
import { Tally } from "./answers/tally.ts";
import { teachBase } from "./answers/taught-base.ts";
import { VERDICTS, type Verdict, verdictOf } from "./answers/verdict.ts";
import type { TalkingTwin } from "./talking-twin.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "test" },
    base: { type: "string" },
    show: { type: "string" },
    model: { type: "string", multiple: true, default: [] },
  },
});
const part = values.part as Part;
const say = (line: string) => process.stdout.write(`${line}\n`);
const shown = values.show as Verdict | "all" | undefined;
// What was looked at is tuned on.
if (shown !== undefined && part === "test") throw new Error("The test part is only counted: --show takes --part dev");
if (shown !== undefined && shown !== "all" && !VERDICTS.includes(shown)) throw new Error(`No verdict «${shown}»`);

const database = await wrapPglite(await startPglite());
const jobs = await openJobs(database, createLog("silent"));
const calm = new AbortController().signal;

async function answer(
  twin: TalkingTwin,
  question: Question,
  generator: Generator,
): Promise<{ text: string } & Grounds> {
  const { tenant, twinId } = twin;
  const request = await asTenant(database.db, tenant, async (tx) => {
    const { twin: answering, index } = await openTwin(tx, tenant, twinId);
    return prepareReply({
      twin: answering,
      index,
      message: question.text,
      history: question.history,
      learnt: [],
      meaning: null,
      audience: { kind: "stranger" },
      seed: question.id,
      generator: generator.name,
    });
  });
  let text = "";
  for await (const delta of streamReply(generator, request, calm)) text += delta;
  return { text, ...groundsOf(generator, request, text) };
}

const bases = readBases().filter(({ name }) => values.base === undefined || name === values.base);
const taught = new Map<string, TalkingTwin>();
for (const base of bases) taught.set(base.name, await teachBase(database, { jobs, meanings: null }, base));

const generators: [string, Generator][] = [
  ["no model", embeddedGenerator()],
  ...values.model.map((given): [string, Generator] => {
    const [baseUrl, model = "model"] = given.split("#") as [string, string?];
    return [model, llmGenerator({ baseUrl, model, foreign: false })];
  }),
];
for (const [name, generator] of generators) {
  const tally = new Tally();
  for (const base of bases) {
    for (const question of base.questions[part]) {
      const given = await answer(taught.get(base.name)!, question, generator);
      const verdict = verdictOf(question, given.text);
      tally.add(question.kind, verdict, given.confidence);
      if (shown === "all" || shown === verdict)
        say(
          `${verdict} ${given.confidence.toFixed(2)} ${given.basis} ${question.id} ${question.text}\n    → ${given.text}`,
        );
    }
  }
  say(
    `\n${name}, ${part}: ${tally.total} questions of ${bases.length} bases\n\n${tally.byKind()}\n\n${tally.byConfidence()}`,
  );
}
await jobs.stop(2000);
await database.close();
process.exit(0);
