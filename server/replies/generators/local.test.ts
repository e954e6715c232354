/** The model's process may end, hang or be missing: no reply is lost. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { ModelHost, type ModelHostOptions } from "#server/models/model-host.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { planAfter } from "../decide.ts";
import type { ReplyRequest } from "./generator.ts";
import { localGenerator } from "./local.ts";

const passage = (text: string): ReplyPassage => ({
  ...{ id: text, documentId: "d", name: "Доставка", heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?", history: [], exemplars: [] },
  passages: [passage("Доставка стоит 350 рублей.")],
  confidence: { passages: 0.9, exemplars: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "Ответ найден в документе «Доставка»." },
  payer: { organizationId: "o", userId: "u", twinId: "t" },
  ...over,
});
const calm = new AbortController().signal;
const ODD = new URL("../../test/models/odd-host.ts", import.meta.url);
const FELL_BACK = "Модель не ответила, двойник ответил сам по документам. Ответ найден в документе «Доставка».";

let folder: string;
let path: string;
const hosts: ModelHost[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-local-"));
  path = join(folder, "chat.gguf");
  await writeTinyChatModel(path);
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.end();
});
afterAll(() => rm(folder, { recursive: true }));

function hostOf(model = path, over: Partial<ModelHostOptions> = {}): ModelHost {
  const load = { generator: { path: model, contextTokens: 8192 }, embedder: null, reranker: null, threads: 1 };
  const limits = { priority: 0, restMs: 50 };
  const host = new ModelHost({ load, memoryBytes: 2 * 1024 ** 3, log: createLog("silent"), limits, ...over });
  hosts.push(host);
  return host;
}
const generatorOf = (host: ModelHost) => localGenerator({ host, log: createLog("silent"), totalMs: 60_000 });

async function reply(generator: ReturnType<typeof localGenerator>, request: ReplyRequest): Promise<string> {
  let text = "";
  for await (const delta of generator.generate(request, calm)) text += delta;
  return text;
}

const missing = noLlama();
const why = missing === null ? "" : `: skipped, ${missing}`;

test.skipIf(missing !== null)(
  `no reply is lost while the model's process is killed again and again${why}`,
  async () => {
    const host = hostOf();
    const generator = generatorOf(host);
    // The model itself answers, and whatever does not fit into what it sees at once is left out.
    const long = asked({
      passages: Array.from({ length: 20 }, (_, at) => passage(`Пункт ${at}. ${"очень длинно ".repeat(60)}`)),
    });
    const said = await reply(generator, long);
    // It says rubbish, of which nothing may be said.
    expect(said).toMatch(/^[А-Яа-я., ]+$/);
    expect(generator.fellBack?.(long)).toBe(false);
    expect(planAfter(generator, long, said).reason).not.toContain("Модель не ответила");

    const requests = Array.from({ length: 40 }, (_, at) =>
      asked({ payer: { organizationId: `o${at % 4}`, userId: `u${at}`, twinId: "t" } }),
    );
    let answered = false;
    const killing = (async () => {
      // As soon as it answers: sometimes in the middle of a reply, and those that come next meet a process that loads, or none.
      for (; !answered; await pause(30)) if (await host.facts(calm).catch(() => null)) kill(host.pid!);
    })();
    const replies = await Promise.all(
      requests.map(async (request, at) => {
        await pause(at * 100);
        return { request, text: await reply(generator, request) };
      }),
    );
    answered = true;
    await killing;
    const fallen = replies.filter(({ request }) => generator.fellBack?.(request));
    expect(fallen.length).toBeGreaterThan(5);
    for (const { request, text } of replies) expect(text, `${generator.fellBack?.(request)}`).not.toBe("");
    for (const { request, text } of fallen) {
      expect(text).toBe("Доставка стоит 350 рублей.");
      expect(planAfter(generator, request, text).reason).toBe(FELL_BACK);
    }
  },
);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone already.
  }
}

test("without a model that loads the documents answer; who answers is told all the same, and the owner's word is said as it is", async () => {
  const broken = join(folder, "broken.gguf");
  await writeFile(broken, "GGUF");
  const generator = generatorOf(hostOf(broken));
  const request = asked({ message: "Ты бот? Сколько стоит доставка?" });
  const text = await reply(generator, request);
  expect(text).toMatch(/^Это ИИ-двойник[\s\S]*350 рублей/);
  expect(generator.fellBack?.(request)).toBe(true);
  const corrected = { kind: "exemplar", text: "Двести!", question: null, likeness: 1 } as const;
  const settled = asked({ corrected });
  expect(await reply(generator, settled)).toBe("Двести!");
  expect(generator.fellBack?.(settled)).toBe(false);
});

/** As odd-host.ts writes it. */
const sizeIn = (said: string) =>
  Number([...said.replace(".", "")].map((letter) => "бвгджзкмнр".indexOf(letter)).join(""));

test("a machine that is slow to read is asked with less, and one that is quick with more", async () => {
  const host = hostOf("slow", { program: ODD });
  const request = asked({
    history: Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 ? "assistant" : "user",
      content: "слово ".repeat(30),
    })),
    notes: "слово ".repeat(600),
    passages: Array.from({ length: 30 }, (_, at) => passage(`Пункт ${at}. ${"слово ".repeat(40)}`)),
  });
  const sizes = async (readMs: number) => {
    const generator = localGenerator({ host, log: createLog("silent"), totalMs: 30_000, readMs });
    const said: number[] = [];
    for (let at = 0; at < 3; at++) said.push(sizeIn(await reply(generator, request)));
    return said;
  };
  const slow = await sizes(100);
  expect(slow[1]).toBeLessThan(slow[0]!);
  expect(slow[2]).toBeLessThan(slow[1]!);
  const quick = await sizes(5000);
  expect(quick[2]).toBeGreaterThan(quick[0]!);
});

test("what measures the model is told that it did not answer: another's replies would be measured in its name", async () => {
  const generator = generatorOf(hostOf("rubbish", { program: ODD }));
  await expect(reply(generator, asked({ background: true }))).rejects.toMatchObject({
    status: 502,
    code: "model_failed",
  });
});

const SAID = "Доставка стоит 350 рублей.";
const UNKNOWN = /^(?:К сожалению|Честно|Этого|Не|Точно|Тут|Уточню)[^0-9]+$/;
const INVENTED = "Доставка стоит 900 рублей, вернём деньги.";

test.each<
  [string, [string, "end" | "length"][], { text: string | RegExp; kind?: string; held?: boolean; fell?: boolean }]
>([
  ["thinks aloud", [["<think>хм, 900 рублей</think>Доставка стоит 350 рублей.", "end"]], { text: SAID }],
  ["thinks without a mark", [["хм, 900 рублей</think>Доставка стоит 350 рублей.", "end"]], { text: SAID }],
  ["is cut", [["Доставка стоит 350 рублей. Курьер при", "length"]], { text: SAID }],
  [
    "is cut before any end",
    [
      ["Доставка сто", "length"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  ["writes Markdown", [["**Доставка** стоит `350` рублей.", "end"]], { text: SAID }],
  [
    "calls a tool, then answers",
    [
      ['<tool_call>{"name":"x"}</tool_call>', "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "says nothing, then answers",
    [
      ["", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  ["says nothing at all", [["", "end"]], { text: SAID, fell: true }],
  [
    "invents, then answers",
    [
      [INVENTED, "end"],
      [SAID, "end"],
    ],
    { text: SAID, kind: "knowledge" },
  ],
  ["invents twice", [[INVENTED, "end"]], { text: UNKNOWN, kind: "unknown", held: true }],
  ["speaks of itself", [["Я языковая модель, созданная для помощи.", "end"]], { text: UNKNOWN, kind: "unknown" }],
  ["says that it does not know", [["НЕТ_ДАННЫХ", "end"]], { text: UNKNOWN, kind: "unknown" }],
  [
    "slips into another language",
    [
      ["送货费用是三百五十卢布。", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "says the question back",
    [
      ["Сколько стоит доставка?", "end"],
      [SAID, "end"],
    ],
    { text: SAID },
  ],
  [
    "does not end",
    [[`${SAID} ${"Доставка стоит дорого и долго. ".repeat(260)}`, "length"]],
    { text: `${SAID} Доставка стоит дорого и долго.` },
  ],
])("a model that %s", async (_, script, { text, kind, held = false, fell = false }) => {
  const generator = generatorOf(hostOf(`says ${JSON.stringify(script)}`, { program: ODD }));
  const request = asked();
  const said = await reply(generator, request);
  if (typeof text === "string") expect(said).toBe(text);
  else expect(said).toMatch(text);
  const plan = planAfter(generator, request, said);
  expect([generator.fellBack?.(request), plan.held ?? false]).toEqual([fell, held]);
  if (kind !== undefined) expect(plan.kind).toBe(kind);
  if (held) expect(plan.reason).toMatch(/«900 рублей», «вернем»/);
});
