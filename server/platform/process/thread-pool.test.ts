import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { ThreadFailure, ThreadPool } from "./thread-pool.ts";

const poolOf = (file: string, maxThreads = 1) =>
  new ThreadPool<string, string>({
    file: new URL(`../../test/processes/threads/${file}.ts`, import.meta.url),
    maxThreads,
    idleTimeout: 1000,
  });

test.each(["throws-on-load", "leaves-on-load", "there-is-no-such-file"])(
  "tasks of a worker that cannot load fail, all of them, and the process lives: %s",
  async (file) => {
    const pool = poolOf(file, 2);
    const tasks = Array.from({ length: 5 }, () => pool.run("answer"));
    for (const outcome of await Promise.allSettled(tasks)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailure) });
    }
    // The next task fails in the same way instead of waiting for ever.
    await expect(pool.run("answer")).rejects.toThrow(ThreadFailure);
  },
);

test("a thread that exits fails only its own task, and the next thread does the waiting ones", async () => {
  const pool = poolOf("flaky");
  const tasks = ["answer", "leave", "throw", "answer"].map((task) => pool.run(task));
  expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "fulfilled",
  ]);
  await expect(tasks[2]).rejects.toThrow("this task is wrong");
});

test("an idle thread that dies does not end the process", async () => {
  const pool = poolOf("flaky");
  expect(await pool.run("die later")).toBe("answered");
  await pause(200);
  expect(await pool.run("answer")).toBe("answered");
});

test("an aborted task frees its thread for waiting tasks", async () => {
  const pool = poolOf("flaky");
  expect(await pool.run("answer")).toBe("answered");
  const hanging = new AbortController();
  const waiting = new AbortController();
  const first = pool.run("hang", { signal: hanging.signal });
  const second = pool.run("answer", { signal: waiting.signal });
  const third = pool.run("answer");
  waiting.abort();
  await expect(second).rejects.toThrow();
  hanging.abort();
  await expect(first).rejects.toThrow();
  expect(await third).toBe("answered");
});
