// Plays talks through the product: businesses are taught, customers write, and what came of each turn is read from the ledger.
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import type { ToolInput } from "#contract/actions/tools.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { addTool } from "#server/test/actions/actions-bench.ts";
import { type TalkOver, talkOver } from "#server/test/actions/talk-over.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { type CallKind, RecordedCalls } from "../answers/strong/recorded-calls.ts";
import { pathOf, startBusinessServer } from "./business-server.ts";
import { faultOf, says, type TurnAct } from "./judge-turn.ts";
import { installTalkClocks, runAt } from "./talk-clock.ts";
import { type Business, readTalks, type Talk, type TalkSet, type TalkTool } from "./talks.ts";

const DAY_MS = 86_400_000;
const WRITTEN = new Date("2026-11-20T09:00:00Z");

export interface Turn {
  talk: Talk;
  at: number;
  fault: string | null;
  leaked: string[];
  /** Whether all of it went out without the owner. */
  sent: boolean;
  text: string;
}

export interface PlayedTalks {
  talks: readonly Talk[];
  turns: Turn[];
  /** Calls of what changes something, which nobody has approved. */
  changes: readonly string[];
  calls: Pick<RecordedCalls, "missing" | "changed">;
}

interface Taught {
  owner: TestClient;
  twinId: string;
  /** Ids of the product's tools, by which the ledger names them, to the ids of talks.json. */
  names: Map<string, string>;
}

/** The client of the talk that is under way. */
const talkClient = new AsyncLocalStorage<typeof fetch>();

/** @param servers base URLs that answer what is not recorded yet; absent: it is counted as missing */
export async function playTalks(set: TalkSet, servers?: Record<CallKind, string>): Promise<PlayedTalks> {
  const { businesses, talks } = readTalks(set);
  const calls = new RecordedCalls(join(import.meta.dirname, set, "completions.jsonl"));
  const restoreClock = installTalkClocks();
  const server = await startBusinessServer(businesses);
  const t = await testApp({ loopbackAddresses: true });
  try {
    t.services.generator = llmGenerator({
      ...{ baseUrl: "http://127.0.0.1:1/v1", model: "hand", foreign: false, firstTokenMs: DAY_MS, totalMs: DAY_MS },
      contextTokens: 16_384,
      fetch: (input, init) => talkClient.getStore()!(input, init),
    });
    const taught = new Map<string, Taught>();
    for (const business of businesses) taught.set(business.id, await teach(t, server.origin, business));
    await t.jobsIdle();
    await t.services.jobs.stop(2000);
    const waiting = [...talks];
    const turns: Turn[] = [];
    const work = async () => {
      for (let talk = waiting.shift(); talk !== undefined; talk = waiting.shift()) {
        const client = calls.clientFor(talk.id, servers);
        turns.push(...(await playTalk(t, taught.get(talk.business)!, talk, client)));
      }
    };
    await Promise.all(Array.from({ length: servers === undefined ? 4 : 24 }, work));
    return { talks, turns, calls, changes: server.changes };
  } finally {
    restoreClock();
    await t.close();
    await server.close();
  }
}

async function teach(t: TestApp, origin: string, business: Business): Promise<Taught> {
  const owner = await t.signUp();
  const { name, about } = business;
  const twinId = await buildTwin(owner, { name, description: about, knowledgeArea: about });
  for (const { name: title, text } of business.documents)
    await buildDocument(owner, twinId, `${name}. ${title}. ${text}`, { name: title });
  // A prompt names the day of a document.
  await asTenant(t.services.db, owner.caller, (tx) => tx.update(documents).set({ createdAt: WRITTEN }));
  const names = new Map<string, string>();
  for (const tool of business.tools) {
    const settings = await settingsOf({ owner, twinId, origin }, business, tool);
    const { title, description, changes, degree } = tool;
    const proof = proofOf(tool);
    const made = { title, description, changes, degree, proof, enabled: true, examples: [], settings };
    names.set((await addTool(owner, twinId, made)).id, tool.id);
  }
  return { owner, twinId, names };
}

/** A column is called as people call what stands in it. */
const columnOf = ({ fields, shown }: TalkTool, name: string): string =>
  shown.find(({ path }) => path === name)?.label ?? fields.find((field) => field.name === name)?.label ?? name;

function proofOf(tool: TalkTool): ToolInput["proof"] {
  const { everybody = false, channelPhone = null, asked = [] } = tool.proof;
  const sourceOf = (name: string) => (tool.kind === "table" ? columnOf(tool, name) : name);
  return {
    everybody,
    channelPhone: channelPhone && sourceOf(channelPhone),
    asked: asked.map((each) => ({ ...each, source: sourceOf(each.source) })),
  };
}

async function settingsOf(
  { owner, twinId, origin }: Pick<Taught, "owner" | "twinId"> & { origin: string },
  business: Business,
  tool: TalkTool,
): Promise<ToolInput["settings"]> {
  const { fields, changes } = tool;
  if (tool.kind === "table") {
    const names = Object.keys(tool.data![0]!);
    const rows = tool.data!.map((row) => names.map((name) => row[name] ?? ""));
    const csv = [names.map((name) => columnOf(tool, name)), ...rows];
    const content = Buffer.from(csv.map((cells) => cells.join(";")).join("\n")).toString("base64");
    const read = await owner.post("/api/tools/tables", { twinId, name: `${tool.id}.csv`, content });
    expect(read.statusCode, read.body).toBe(201);
    return {
      ...{ kind: "table", tableId: read.json<{ id: string }>().id, keyColumn: columnOf(tool, fields[0]!.name) },
      shown: tool.shown.map(({ path }) => columnOf(tool, path)),
    };
  }
  const url = `${origin}${pathOf(business.id, tool, [])}`;
  return {
    ...{ kind: "http", method: changes ? "POST" : "GET", fields, headers: [], resultPath: "", idempotent: false },
    url: changes ? url : [url, ...fields.map(({ name }) => `{${name}}`)].join("/"),
    shown: tool.shown,
  };
}

async function playTalk(
  t: TestApp,
  { owner, twinId, names }: Taught,
  talk: Talk,
  client: typeof fetch,
): Promise<Turn[]> {
  const platform = talk.channelPhone === null ? "telegram" : "whatsapp";
  const over = await talkOver(t, owner, {
    ...{ twinId, platform, name: "Собеседник" },
    ...(talk.channelPhone === null ? { peerId: talk.id } : { peerId: talk.channelPhone }),
  });
  // A session of today would have ended by then.
  return runAt(talk.now, () => talkClient.run(client, () => hearCustomer(t, { owner, names }, talk, over)));
}

async function hearCustomer(
  t: TestApp,
  { owner, names }: Pick<Taught, "owner" | "names">,
  talk: Talk,
  over: TalkOver,
): Promise<Turn[]> {
  const known = new Map<string, string>();
  const turns: Turn[] = [];
  for (const [at, { customer, expect: expected }] of talk.turns.entries()) {
    const written = await over.hear(customer);
    const rows = await actsOf(t, owner, await over.conversationId());
    const moved: TurnAct[] = rows
      .filter(({ id, state }) => known.get(id) !== state)
      .map(({ toolId, state, arguments: given }) => ({ tool: names.get(toolId!)!, state, arguments: given }));
    for (const { id, state } of rows) known.set(id, state);
    const text = written.map((each) => each.text).join("\n");
    turns.push({
      ...{ talk, at, text, fault: faultOf(expected, { acts: moved, text }) },
      leaked: talk.mustNotSay.filter((words) => says(text, words)),
      sent: written.every(({ state }) => state !== "draft"),
    });
  }
  return turns;
}

const actsOf = (t: TestApp, owner: TestClient, conversationId: string) =>
  asTenant(t.services.db, owner.caller, (tx) =>
    tx.select().from(acts).where(eq(acts.conversationId, conversationId)).orderBy(asc(acts.createdAt)),
  );
