import { expect, test } from "vitest";
import { createLog } from "./platform/log.ts";
import { untilDatabaseAnswers } from "./start-retries.ts";

const log = createLog("silent");
const away = () => Object.assign(new Error("terminating connection"), { code: "57P01" });
const never = new AbortController().signal;

test("a step of the start is repeated until the database is back", async () => {
  let tries = 0;
  const step = async () => {
    tries++;
    if (tries < 3) throw away();
    return "begun";
  };
  expect(await untilDatabaseAnswers(step, { signal: never, log, waitMs: 0 })).toBe("begun");
  expect(tries).toBe(3);
});

test("any other failure ends the start, and so does the end of the process", async () => {
  const broken = new Error("a bug");
  await expect(untilDatabaseAnswers(() => Promise.reject(broken), { signal: never, log, waitMs: 0 })).rejects.toBe(
    broken,
  );
  const stopping = new AbortController();
  const step = async () => {
    stopping.abort(new Error("SIGTERM"));
    throw away();
  };
  await expect(untilDatabaseAnswers(step, { signal: stopping.signal, log })).rejects.toThrow(/abort|SIGTERM/);
});
