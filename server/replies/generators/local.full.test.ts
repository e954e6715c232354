/** The model's process may end, hang or be missing without a reply being lost. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { ModelHost, type ModelHostOptions } from "#server/models/model-host.ts";
import type { ReplyChunk } from "#server/search/chunk.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { planAfter } from "../decide.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { localGenerator } from "./local.ts";

const chunk = (text: string): ReplyChunk => ({
  ...{ id: text, documentId: "d", name: "Доставка", heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?", history: [], replyExamples: [] },
  chunks: [chunk("Доставка стоит 350 рублей.")],
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "Ответ найден в документе «Доставка»." },
  payer: { organizationId: "o", userId: "u", twinId: "t" },
  ...over,
});
const calm = new AbortController().signal;
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
    // The model itself answers, and whatever exceeds its context is left out.
    const long = asked({
      chunks: Array.from({ length: 20 }, (_, at) => chunk(`Пункт ${at}. ${"очень длинно ".repeat(60)}`)),
      plan: { kind: "unknown", confidence: 0.1, reason: "" },
    });
    const said = await reply(generator, long);
    // The model writes nonsense, so nothing of it may be said.
    expect(said).toMatch(/^[А-Яа-я., ]+$/);
    expect(generator.fellBack?.(long)).toBe(false);
    expect(planAfter(generator, long, said).reason).not.toContain("Модель не ответила");

    const requests = Array.from({ length: 40 }, (_, at) =>
      asked({ payer: { organizationId: `o${at % 4}`, userId: `u${at}`, twinId: "t" } }),
    );
    let answered = false;
    const killing = (async () => {
      // The process is killed as soon as it answers: sometimes in the middle of a reply, so the next ones meet a loading process or none.
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
  // Its process gives way to all others.,
);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
