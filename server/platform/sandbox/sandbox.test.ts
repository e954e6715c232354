import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { BACKGROUND_PRIORITY } from "#server/platform/process/low-priority.ts";
import { isAlive, open, prepareSandbox, programOf } from "#server/test/sandbox/sandbox-bench.ts";
import { framePieces, readFrames } from "./frames.ts";
import { Sandbox, type SandboxOptions } from "./sandbox.ts";

prepareSandbox();

async function start(name: string, options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const answers = { headerBytes: 2000, bodyBytes: 1000 };
  const sandbox = new Sandbox({ file: programOf(name), memoryBytes: 512 * 1024 ** 2, answers, ...options });
  open.push(sandbox);
  await sandbox.ready();
  return sandbox;
}

test("a sandboxed program reaches no file, no process, no network and no secret of the server", async () => {
  vi.stubEnv("MASTER_KEY", "canary");
  const folder = await mkdtemp(join(tmpdir(), "dt-sandbox-"));
  await writeFile(join(folder, "secret"), "canary");
  const sandbox = await start("probe");
  sandbox.send({ secret: join(folder, "secret"), target: join(folder, "written") });
  const { header } = await sandbox.receive();
  const { done, environment } = header as { done: string[]; environment: string[] };
  expect(done).toEqual([]);
  const harmless = ["MALLOC_ARENA_MAX", "NODE_COMPILE_CACHE", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
  expect(environment.filter((name) => !harmless.includes(name))).toEqual([]);
  expect(await readdir(folder)).toEqual(["secret"]);
  await rm(folder, { recursive: true });
});

test.each([
  ["leave", "crash"],
  ["hang", "time"],
  ["hoard", "memory"],
  ["talk", "crash"],
])("a sandboxed program asked to %s is ended, and the reason is reported: %s", async (act, reason) => {
  const sandbox = await start("misbehaving");
  const before = process.memoryUsage().rss;
  const outcome = sandbox.watched(act === "hang" ? 300 : 20_000, undefined, () => {
    sandbox.send({ act });
    return sandbox.receive();
  });
  await expect(outcome).rejects.toMatchObject({ name: "SandboxEnded", reason });
  await sandbox.gone;
  expect(isAlive(sandbox.pid!)).toBe(false);
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 ** 2);
});

test.runIf(process.platform === "linux")("the kernel refuses what is asked for in one piece", async () => {
  const sandbox = await start("misbehaving");
  sandbox.send({ act: "hoard in one piece" });
  await expect(sandbox.receive()).rejects.toMatchObject({ name: "SandboxEnded", reason: "crash" });
});

test("a process that does background work has the lowest priority, another one that of the server", async () => {
  const [background, asked] = [await start("probe", { background: true }), await start("probe")];
  expect(getPriority(background.pid)).toBe(BACKGROUND_PRIORITY);
  expect(getPriority(asked.pid)).toBe(getPriority());
});

test("aborted work ends the process and throws the signal's reason", async () => {
  const sandbox = await start("misbehaving");
  const given = new AbortController();
  const outcome = sandbox.watched(20_000, given.signal, () => {
    sandbox.send({ act: "hang" });
    return sandbox.receive();
  });
  given.abort(new Error("nobody wants it"));
  await expect(outcome).rejects.toThrow("nobody wants it");
  await sandbox.gone;
});

test("frames arrive complete however the pipe splits them, and too long or incomplete ones are errors", async () => {
  const bytes = Buffer.concat([...framePieces({ a: "я" }, [Buffer.from("тело"), Buffer.from("!")]), ...framePieces(1)]);
  async function* cut(size: number, upTo = bytes.length) {
    for (let at = 0; at < upTo; at += size) yield bytes.subarray(at, Math.min(at + size, upTo));
  }
  const limits = { headerBytes: 100, bodyBytes: 100 };
  const framesOf = async (...read: Parameters<typeof readFrames>) => {
    const frames: [unknown, string][] = [];
    for await (const { header, body } of readFrames(...read)) frames.push([header, body.toString()]);
    return frames;
  };
  for (const size of [1, 7, 1000]) {
    expect(await framesOf(cut(size), limits)).toEqual([
      [{ a: "я" }, "тело!"],
      [1, ""],
    ]);
  }
  await expect(framesOf(cut(7), { ...limits, bodyBytes: 5 })).rejects.toThrow("too long");
  await expect(framesOf(cut(7, bytes.length - 1), limits)).rejects.toThrow("cut short");
});
