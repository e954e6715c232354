import { randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FairScheduler } from "#server/platform/process/fair-scheduler.ts";
import {
  asked,
  by,
  CONTEXT,
  calm,
  chat,
  folder,
  hostOf,
  hosts,
  LONG,
  missing,
  prepareModelHost,
  textOf,
} from "#server/test/models/model-host-bench.ts";
import { TooLong } from "./failures.ts";
import { GENERATIONS } from "./host-times.ts";
import type { ModelHost } from "./model-host.ts";
import { waitForModel } from "./wait-for-model.ts";

prepareModelHost();

describe.skipIf(missing !== null)(`local models${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let host: ModelHost;
  beforeAll(() => {
    host = hostOf({ limits: { nextTokenMs: 2000 } });
  });
  afterAll(async () => {
    for (const one of hosts) await one.end();
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
    // Only the beginning of a text that exceeds the context counts.
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
    // When the reader stops reading, the generation stops as well.
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

test("an organisation that asks the models of several processes for more than they take holds up another by one reply, whichever it asks", async () => {
  const [greedy, other] = [randomUUID(), randomUUID()];
  const turnFor = (turns: FairScheduler, organizationId: string) =>
    waitForModel(turns, { asker: { organizationId, userId: randomUUID() }, signal: calm, waitMs: 60_000 });
  // Each process has a model of its own, and a queue of its own.
  for (const turns of Array.from({ length: 3 }, () => new FairScheduler(GENERATIONS))) {
    const order: string[] = [];
    const replies = [greedy, greedy, greedy, greedy, greedy, other].map(async (organization) => {
      const end = await turnFor(turns, organization);
      order.push(organization);
      // One process never generates two replies at once, though another process may generate for the same organisation.
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
  const server = join(import.meta.dirname, "../..");
  const users = globSync("**/*.ts", { cwd: server }).filter((file) =>
    /(?:from |import\()"node-llama-cpp"/.test(readFileSync(join(server, file), "utf8")),
  );
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((file) => !file.startsWith(join("models", "host", "process")))).toEqual([]);
});
