import { randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { FairScheduler } from "#server/process/fair-scheduler.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel, writeTinyReader } from "#server/test/models/tiny-model.ts";
import { TooLong } from "./failures.ts";
import { GENERATIONS } from "./host-times.ts";
import { type Asking, type Generation, ModelHost, type ModelHostOptions } from "./model-host.ts";
import { waitForModel } from "./wait-for-model.ts";

const CONTEXT = 2048;
const calm = new AbortController().signal;
const by = (organizationId: string, signal = calm): Asking => ({
  asker: { organizationId, userId: `user of ${organizationId}` },
  signal,
});
const asked = (over: Partial<Generation> = {}): Generation => ({
  turns: [
    { role: "system", content: "Ты кот" },
    { role: "user", content: "Привет! Как дела?" },
  ],
  ...{ maxTokens: 24, temperature: 0, seed: 1, stop: [], grammar: null },
  ...over,
});
/** Long enough for whatever happens meanwhile. */
const LONG = asked({ maxTokens: 1500 });

async function textOf(host: ModelHost, generation = asked(), asking = by("a")): Promise<string> {
  let text = "";
  for await (const delta of host.generate(generation, asking)) text += delta;
  return text;
}

let folder: string;
let chat: { path: string; contextTokens: number };
let reader: { path: string; contextTokens: number };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-models-"));
  chat = { path: join(folder, "chat.gguf"), contextTokens: CONTEXT };
  reader = { path: join(folder, "multilingual-e5.gguf"), contextTokens: 512 };
  await writeTinyChatModel(chat.path);
  await writeTinyReader(reader.path);
});
afterAll(() => rm(folder, { recursive: true }));

const hosts: ModelHost[] = [];
function hostOf(over: Partial<ModelHostOptions> = {}): ModelHost {
  const host = new ModelHost({
    load: { generator: chat, embedder: reader, reranker: reader, threads: 1 },
    memoryBytes: 2 * 1024 ** 3,
    log: createLog("silent"),
    ...over,
    limits: { restMs: 50, ...over.limits },
  });
  hosts.push(host);
  return host;
}
const missing = noLlama();

describe.skipIf(missing !== null)(`local models${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let host: ModelHost;
  beforeAll(() => {
    host = hostOf({ limits: { nextTokenMs: 2000 } });
  });
  afterAll(async () => {
    for (const one of hosts) await one.end();
  });

  test("the same turns and seed give the same text, in deltas", async () => {
    const deltas: string[] = [];
    for await (const delta of host.generate(asked(), by("a"))) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join("")).toMatch(/^[а-я. ]{20,}$/);
    expect(await textOf(host)).toBe(deltas.join(""));
    const warm = asked({ temperature: 1, seed: 5 });
    expect(await textOf(host, warm)).toBe(await textOf(host, warm));
    expect(await textOf(host, { ...warm, seed: 6 })).not.toBe(await textOf(host, warm));
  });

  test("a text ends before its stop sequence, and follows a grammar", async () => {
    const whole = await textOf(host);
    const word = ` ${whole.split(" ")[3]}`;
    expect(await textOf(host, asked({ stop: [word] }))).toBe(whole.slice(0, whole.indexOf(word)));
    expect(await textOf(host, asked({ grammar: 'root ::= "да" | "нет"' }))).toMatch(/^(?:да|нет)$/);
  });

  test("vectors have length 1 and differ by subject; scores lie between 0 and 1", async () => {
    const asking = "Сколько стоит доставка?";
    const query = (text: string) => ({ text, role: "query" as const });
    const { vectors, tokens } = await host.embed([query(asking), query("Привет")], by("a"));
    expect(tokens).toBeGreaterThan(10);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const passage = await host.embed([{ text: asking, role: "passage" }], by("a"));
    expect(passage.vectors[0]).not.toEqual(vectors[0]);
    // What is longer than the model sees goes by its beginning.
    expect((await host.embed([query("слово ".repeat(2000))], by("a"))).vectors).toHaveLength(1);
    const scores = await host.rerank("Сколько?", ["сто рублей", "нет"], by("a"));
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
    expect(scores[0]).not.toBe(scores[1]);
  });

  test("a prompt beyond the model's context is refused with the room that there is", async () => {
    const turns = [{ role: "user" as const, content: "очень длинно ".repeat(400) }];
    const refused = await textOf(host, asked({ turns })).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooLong);
    const { tokens, room } = refused as TooLong;
    expect(room).toBe(CONTEXT - 24 - 1);
    expect(tokens).toBeGreaterThan(room);
  });

  test("leaving ends only one's own generation, a slow one is reported, and the process survives both", async () => {
    await host.facts(calm);
    const { pid } = host;
    const leaving = new AbortController();
    const left = (async () => {
      for await (const _ of host.generate(LONG, by("a", leaving.signal))) leaving.abort(new Error("left"));
    })();
    await expect(left).rejects.toThrow("left");
    await expect(textOf(host, LONG, { ...by("a"), totalMs: 100 })).rejects.toMatchObject({ reason: "late" });
    // Nobody reads on: then nothing is written on either.
    for await (const _ of host.generate(LONG, by("a"))) break;
    const begun = performance.now();
    await textOf(host);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(host.pid).toBe(pid);
  });

  test("two organisations take turns, however many requests one of them has", async () => {
    const order: string[] = [];
    const run = async (who: string) => {
      await textOf(host, asked({ maxTokens: 100 }), by(who));
      order.push(who);
    };
    await Promise.all([run("a"), run("a"), run("a"), run("b")]);
    expect(order).toEqual(["a", "b", "a", "a"]);
  });

  test("requests beyond the queue are refused with a time, and waiting for a turn is limited", async () => {
    const leaving = new AbortController();
    const waiting = Array.from({ length: 5 }, (_, at) => textOf(host, LONG, by(`${at % 2}`, leaving.signal)));
    const refused = textOf(host, LONG, by("1", leaving.signal)).then(() => textOf(host, LONG, by("1")));
    const more = Array.from({ length: 3 }, () => textOf(host, LONG, by("0")).catch((error: unknown) => error));
    expect(await Promise.race(more)).toMatchObject({ name: "ModelFailure", reason: "busy", retryAfter: 20 });
    leaving.abort(new Error("left"));
    await Promise.allSettled([...waiting, refused, ...more]);
  });

  test("killing the process fails only its present task, and another process replaces it", async () => {
    await host.facts(calm);
    const { pid } = host;
    const killed = (async () => {
      for await (const _ of host.generate(LONG, by("a"))) process.kill(pid!, "SIGKILL");
    })();
    await expect(killed).rejects.toMatchObject({ name: "ModelFailure", reason: "crashed" });
    await expect(textOf(host)).rejects.toMatchObject({ reason: "resting", retryAfter: 1 });
    await expect.poll(() => textOf(host).catch(() => ""), { timeout: 30_000 }).toMatch(/^[а-я. ]{20,}$/);
    expect(host.pid).not.toBe(pid);
  });

  test.skipIf(process.platform === "win32")(
    "a process that hangs is ended when no token comes in its time",
    async () => {
      await host.facts(calm);
      const hung = (async () => {
        for await (const _ of host.generate(LONG, by("a"))) process.kill(host.pid!, "SIGSTOP");
      })();
      const begun = performance.now();
      await expect(hung).rejects.toMatchObject({ reason: "hung" });
      // By the token that did not come: the sign of life is waited for ten times as long.
      expect(performance.now() - begun).toBeLessThan(10_000);
    },
  );

  test.runIf(process.platform === "linux")(
    "a process beyond its memory is ended; it is nicer than the server, and the kernel's first choice",
    async () => {
      const greedy = hostOf({ memoryBytes: 60 * 1024 ** 2, limits: { priority: 10 } });
      const facts = greedy.facts(calm);
      facts.catch(() => undefined);
      expect(getPriority(greedy.pid!)).toBe(10);
      await expect.poll(() => readFileSync(`/proc/${greedy.pid}/oom_score_adj`, "utf8").trim()).toBe("900");
      await expect(facts).rejects.toMatchObject({ reason: "memory" });
      await expect.poll(() => existsSync(`/proc/${greedy.pid}`)).toBe(false);
    },
  );

  test("a file that only begins like a model cannot be used, and the error differs from others", async () => {
    const path = join(folder, "broken.gguf");
    await writeFile(path, readFileSync(chat.path).subarray(0, 200_000));
    const broken = hostOf({
      load: { generator: { path, contextTokens: 64 }, embedder: null, reranker: null, threads: 1 },
    });
    await expect(textOf(broken)).rejects.toMatchObject({ reason: "unavailable" });
  });
});

describe("a process that misbehaves", () => {
  const odd = (how: string, limits: ModelHostOptions["limits"] = {}) =>
    hostOf({
      program: new URL("../test/models/odd-host.ts", import.meta.url),
      load: { generator: { path: how, contextTokens: 64 }, embedder: null, reranker: null, threads: 1 },
      limits: { restMs: 60_000, ...limits },
    });

  test.each([
    ["ends", "crashed", "resting"],
    ["rubbish", "malformed", "resting"],
    ["missing", "missing", "missing"],
  ])("one that %s fails as %s, and is not begun at once again", async (how, reason, then) => {
    const host = odd(how);
    await expect(textOf(host)).rejects.toMatchObject({ reason });
    await expect(textOf(host)).rejects.toMatchObject({ reason: then });
    await host.end();
  });

  test("one without a sign of life is ended, though it may take its time for an answer", async () => {
    const host = odd("mute", { silentMs: 4000, nextTokenMs: 60_000 });
    await expect(textOf(host)).rejects.toMatchObject({ reason: "hung" });
    await host.end();
  });
});

test("an organisation that asks the models of several processes for more than they take holds up another by one reply, whichever it asks", async () => {
  const [greedy, other] = [randomUUID(), randomUUID()];
  const turnFor = (turns: FairScheduler, organizationId: string) =>
    waitForModel(turns, { asker: { organizationId, userId: randomUUID() }, signal: calm, waitMs: 60_000 });
  // Each process has a model of its own, and turns of its own.
  for (const turns of Array.from({ length: 3 }, () => new FairScheduler(GENERATIONS))) {
    const order: string[] = [];
    const replies = [greedy, greedy, greedy, greedy, greedy, other].map(async (organization) => {
      const end = await turnFor(turns, organization);
      order.push(organization);
      // Two replies of one process are never written at once, though another one may write for the same organisation meanwhile.
      expect(turns.running).toBe(1);
      await Promise.resolve();
      end();
    });
    await expect(turnFor(turns, greedy)).rejects.toMatchObject({ reason: "busy" });
    await Promise.all(replies);
    expect(order).toEqual([greedy, other, greedy, greedy, greedy, greedy]);
  }
});

test("node-llama-cpp is loaded by the model's process alone", () => {
  const server = join(import.meta.dirname, "..");
  const users = globSync("**/*.ts", { cwd: server }).filter((file) =>
    /(?:from |import\()"node-llama-cpp"/.test(readFileSync(join(server, file), "utf8")),
  );
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((file) => !file.startsWith(join("models", "host")))).toEqual([]);
});
