// What a friend's everyday messages get from a private person's twin that has read no document (bench/everyday/people.ts): without a model,
// and with each that is named.
//   npm run bench:everyday -- [--part dev|test] [--show] [--auto] [--every N] [--seconds N] [--model FILE.gguf|URL#NAME]… [--threads N]
//     [--at-once N]
// `--show` prints each reply, for a human to judge whether it fits; who has read those of the test part tunes nothing by it. `--auto` answers as
// where nobody looks before it is sent. A model is asked nothing further after `--seconds`; what it was asked is then asked without a model as well.
import { parseArgs } from "node:util";
import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import { startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { type EverydayMessage, KINDS, type Part, type Person, readPeople } from "./everyday/people.ts";
import { type KnownTwin, teachPerson } from "./everyday/taught-person.ts";
import { DONT_KNOW, VERDICTS, type Verdict, verdictOf } from "./everyday/verdict.ts";
import { askedModels } from "./model/asked-models.ts";
import { inTurns, timeLimit } from "./model/time-limit.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "dev" },
    show: { type: "boolean", default: false },
    auto: { type: "boolean", default: false },
    every: { type: "string", default: "1" },
    seconds: { type: "string" },
    "at-once": { type: "string", default: "1" },
    model: { type: "string", multiple: true, default: [] },
    threads: { type: "string", default: "1" },
    room: { type: "string", default: "2000" },
    priority: { type: "string", default: "0" },
  },
});
const part = values.part as Part;
const say = (line: string) => process.stdout.write(`${line}\n`);
const calm = new AbortController().signal;
const log = createLog("silent");
const database = await wrapPglite(await startPglite());
const { db } = database;
const jobs = await openJobs(database, log);

/** As a channel asks for an answer (inbox/answering/process-inbox.ts). */
async function answer(
  { tenant, twinId, people }: KnownTwin,
  { id, contact, text }: EverydayMessage,
  generator: Generator,
) {
  const { id: contactId, styleGroup } = people.get(contact)!;
  const audience = { kind: "contact", contactId } as const;
  const models = { db, generator, queryEmbedder: null, reranker: null, localModels: null, remoteGenerators: null };
  const reply = await planReplyAlone(models, tenant, twinId, {
    ...{ message: text, history: [], audience, seed: id, drafted: true },
    contact: { notes: [], address: null, styleGroup, name: contact },
    ...(values.auto ? { ownerAnswers: async () => "will" as const } : {}),
  });
  const whole = await reply.whole(calm);
  const { confidence, basis } = reply.citationsOf(whole);
  return { whole, confidence, basis, toOwner: reply.leavesToOwner(whole), fellBack: reply.fellBack };
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const percent = (count: number, all: number) => ((100 * count) / Math.max(1, all)).toFixed(0);

function table(verdicts: readonly { kind: string; verdict: Verdict }[]): string {
  const rows = [...KINDS, "**all**"].map((kind) => {
    const these = verdicts.filter((one) => kind === "**all**" || one.kind === kind);
    const counts = VERDICTS.map((verdict) => these.filter((one) => one.verdict === verdict).length);
    const lost = these.filter(({ verdict }) => DONT_KNOW.includes(verdict)).length;
    return row([kind, these.length, ...counts, percent(lost, these.length)]);
  });
  const head = row(["kind", "written", ...VERDICTS, "«не знаю»-like, %"]);
  return [head, row(["---", ...VERDICTS.map(() => "--:"), "--:", "--:"]), ...rows].join("\n");
}

const people = readPeople();
const twinOf = new Map<Person, KnownTwin>();
for (const person of people) twinOf.set(person, await teachPerson(db, jobs, person));
const messages = inTurns(
  people.map((person) =>
    person.messages[part].filter((_, at) => at % Number(values.every) === 0).map((message) => ({ person, message })),
  ),
);
const withoutModel = embeddedGenerator();
await ask("no model", withoutModel, messages);
const models = await askedModels(values.model, {
  ...{ log, threads: Number(values.threads), priority: Number(values.priority), room: Number(values.room) },
});
for (const [name, generator] of models) {
  const asked = await ask(name, generator, messages, values.seconds);
  if (asked < messages.length) await ask("no model", withoutModel, messages.slice(0, asked));
}
await jobs.stop(2000);
await database.close();
process.exit(0);

/** @returns how many were asked in time */
async function ask(
  name: string,
  generator: Generator,
  those: typeof messages,
  seconds?: string | undefined,
): Promise<number> {
  const isOver = timeLimit(seconds);
  const verdicts: { kind: string; verdict: Verdict }[] = [];
  const times: number[] = [];
  let [fellBack, toOwner] = [0, 0];
  const replyTo = async ({ person, message }: (typeof messages)[number]) => {
    if (isOver()) return null;
    const begun = performance.now();
    const given = await answer(twinOf.get(person)!, message, generator);
    times.push(performance.now() - begun);
    return { message, given };
  };
  const replies: NonNullable<Awaited<ReturnType<typeof replyTo>>>[] = [];
  const atOnce = Number(values["at-once"]);
  for (let at = 0; at < those.length; at += atOnce) {
    const some = await Promise.all(those.slice(at, at + atOnce).map(replyTo));
    replies.push(...some.filter((one) => one !== null));
  }
  for (const { message, given } of replies) {
    if (given.fellBack) fellBack++;
    if (given.toOwner) toOwner++;
    const verdict = verdictOf(message, given.whole, `${message.contact} ${message.text}`);
    verdicts.push({ kind: message.kind, verdict });
    if (values.show)
      say(
        `${verdict} ${given.confidence.toFixed(2)} ${given.basis}${given.toOwner ? " → owner" : ""} ${message.id} ${message.kind} ${message.text}\n    → ${given.whole.replaceAll("\n", " ⏎ ")}`,
      );
  }
  if (fellBack > 0) say(`\nThe model did not answer ${fellBack} times: those replies are the embedded engine's.`);
  const half = (times.sort((a, b) => a - b)[times.length >> 1] ?? 0) / 1000;
  const asked = verdicts.length < those.length ? `the first ${verdicts.length} of ${those.length}` : verdicts.length;
  say(
    `\n${name}, ${part}${values.auto ? ", sent by itself" : ""}: ${asked} messages to ${people.length} people's twins, ${toOwner} left to the owner besides; half within ${half.toFixed(1)} s\n\n${table(verdicts)}`,
  );
  return verdicts.length;
}
