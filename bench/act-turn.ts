// What a tool costs a turn on the embedded database, in processor time of this process: a twin without tools, one whose tool is offered and not
// called, and turns in which a model calls it. The model and the owner's system answer at once; the system is a process of its own.
//   npm run bench:act-turn -- [--turns N]
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { planReply } from "#server/answers/replies/plan-reply.ts";
import { prefetchQuestion } from "#server/answers/replies/prefetch-question.ts";
import { openTools } from "#server/answers/tools/tool-desk.ts";
import { asTenant, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { tools, toolTables } from "#server/platform/db/schema/tools.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";

const { values: options } = parseArgs({ options: { turns: { type: "string", default: "150" } } });
const TURNS = Number(options.turns);
const WARMING = 40;
const say = (line: string) => process.stdout.write(`${line}\n`);
const calm = new AbortController().signal;

const ROW = JSON.stringify({ order: { status: "Собран, ждёт курьера", day: "3 декабря" } });
const SYSTEM = `require("node:http").createServer((_, r) => {
  r.writeHead(200, { "content-type": "application/json" });
  r.end(${JSON.stringify(ROW)});
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
const system = spawn(process.execPath, ["-e", SYSTEM], { stdio: ["ignore", "pipe", "inherit"] });
process.once("exit", () => system.kill());
const [port] = (await once(system.stdout, "data")) as [Buffer];
const origin = `http://127.0.0.1:${String(port).trim()}`;

const EMPTY = { kind: "answered", messages: [], sources: [1], sums: [], open: "", action: "", search: "" };
const NO_CALL = { tool: "", arguments: [] };
/** Whether the model proposes a call, by the prompt: not where a result stands in it. */
let tool: string | null = null;

const model: typeof fetch = async (_input, init) => {
  const { messages, response_format } = JSON.parse(String(init?.body)) as {
    messages: { content: string }[];
    response_format?: { json_schema?: { name: string } };
  };
  if (response_format?.json_schema?.name === "verdict")
    return completed({ unsupported: [], fault: "", covers: "all", score: 10 });
  const asks = tool !== null && !messages.some(({ content }) => content.includes("ответ системы"));
  if (!asks) return completed({ ...EMPTY, messages: ["Собран, ждёт курьера."], call: NO_CALL });
  const call = { tool, arguments: [{ name: tool === "po_tablice" ? "key" : "order_id", value: "1042" }] };
  return completed({ ...EMPTY, kind: "act", sources: [], call });
};

const completed = (record: object): Response =>
  Response.json({
    choices: [{ index: 0, message: { role: "assistant", content: JSON.stringify(record) }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

const generator = llmGenerator({
  ...{ baseUrl: "http://127.0.0.1:1/v1", model: "m", foreign: false, contextTokens: 16_384 },
  fetch: model,
});
const { db, close } = await wrapPglite(await startPglite());
const vault = createVault({ current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) });
const deps = { db, vault, config: { loopbackAddresses: true } };
const models = { db, generator, queryEmbedder: null, reranker: null, localModels: null, remoteGenerators: null };

type Twin = Awaited<ReturnType<typeof buildTenantWithTwin>>;

async function buildTwin(kinds: readonly ("http" | "table")[]): Promise<Twin> {
  const twin = await buildTenantWithTwin(db, { name: "Лавка" });
  const place = { orgId: twin.tenant.organizationId, twinId: twin.twinId };
  await asTenant(db, twin.tenant, async (tx) => {
    const content = "Заказ собирают день. Доставка по городу 300 рублей, самовывоз бесплатно.";
    await tx.insert(documents).values({ ...place, name: "Доставка", type: "faq", content, contentHash: "1" });
    for (const kind of kinds) {
      const id = randomUUID();
      const tableId = randomUUID();
      const settings =
        kind === "table"
          ? { kind, tableId, keyColumn: "Заказ", shown: ["Статус"] }
          : {
              ...{ kind, method: "GET" as const, url: `${origin}/orders/{order_id}`, headers: [], resultPath: "order" },
              fields: [
                ...[{ name: "order_id", label: "Заказ", type: "text" as const, required: true }].map((field) => ({
                  ...field,
                  ...{ description: "", choices: [] },
                })),
              ],
              ...{ shown: [{ path: "status", label: "Статус" }], idempotent: true },
            };
      await tx.insert(tools).values({
        ...{ ...place, id, title: kind === "table" ? "По таблице" : "По системе", description: "Где заказ" },
        ...{ enabled: true, degree: "itself", changes: false, settings },
        proof: { everybody: true, channelPhone: null, asked: [] },
      });
      if (kind !== "table") continue;
      const rows = Array.from({ length: 1000 }, (_, row) => [String(row + 1000), "Собран, ждёт курьера"]);
      await tx.insert(toolTables).values({
        ...{ ...place, id: tableId, toolId: id, name: "Заказы.csv", columns: ["Заказ", "Статус"] },
        ...{ rows: JSON.stringify(rows), rowCount: rows.length, contentHash: randomUUID() },
      });
    }
  });
  return twin;
}

/** @returns milliseconds of processor time */
async function measureTurn({ tenant, twinId }: Twin, proposed: string | null): Promise<number> {
  tool = proposed;
  const message = "где мой заказ 1042";
  const began = process.cpuUsage();
  const asked = { message, history: [], audience: { kind: "stranger" as const }, seed: "1", learnt: [] };
  const prefetched = await prefetchQuestion(models, tenant, { twinId, ...asked });
  const answer = await asTenant(db, tenant, async (tx) => {
    const desk = await openTools(tx, deps, {
      ...{ tenant, twinId, mode: "channel", message, history: [], address: null, timeZone: "Europe/Moscow" },
      asker: { conversationId: null, contactId: null, phone: null },
    });
    return planReply(await openTwin(tx, tenant, twinId, { contactId: null }), { ...asked, tools: desk }, prefetched);
  });
  const text = await answer.whole(calm);
  const { user, system: kernel } = process.cpuUsage(began);
  if (!text.includes("Собран")) throw new Error(`An answer without the row: ${text}`);
  return (user + kernel) / 1000;
}

const bare = await buildTwin([]);
const equipped = await buildTwin(["http", "table"]);
const kinds = [
  { name: "no tools", twin: bare, proposed: null },
  { name: "two tools offered, none called", twin: equipped, proposed: null },
  { name: "a row of a table of 1,000", twin: equipped, proposed: "po_tablice" },
  { name: "a call over HTTP", twin: equipped, proposed: "po_sisteme" },
].map((kind) => ({ ...kind, times: [] as number[] }));
for (let turn = -WARMING; turn < TURNS; turn++)
  for (const { twin, proposed, times } of kinds) {
    const time = await measureTurn(twin, proposed);
    if (turn >= 0) times.push(time);
  }

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
const base = median(kinds[0]!.times);
say(`\n${TURNS} turns of each kind, in turns, on the embedded database\n`);
say("| a turn with | CPU ms, median | more than without |");
say("|---|---|---|");
for (const { name, times } of kinds)
  say(`| ${name} | ${median(times).toFixed(1)} | ${(median(times) - base).toFixed(1)} |`);
await close();
process.exit(0);
