/** A deletion whose transaction PostgreSQL rolled back because of another one is retried. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { drainThenDelete } from "./in-flight-sends.ts";

let t: TestApp;
let owner: TestClient;
beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
});
afterAll(() => t.close());

/** Imitates an error of `pg`. */
const databaseError = (code: string) => Object.assign(new Error("taken back"), { code });

/** Counts the attempts of an empty deletion whose first `lost` attempts fail. */
async function tries(code: string, lost: number): Promise<{ tried: number; ended: string }> {
  let tried = 0;
  const claim = async () => ({ conversationId: randomUUID() });
  const remove = async () => {
    if (++tried <= lost) throw databaseError(code);
    return "deleted";
  };
  const ended = await drainThenDelete(t.services.db, owner.caller, claim, remove).catch(
    (error: Error) => error.message,
  );
  return { tried, ended };
}

test("a deletion that deadlocks with a job is retried, so that users need not press «Удалить» twice", async () => {
  expect(await tries("40P01", 1)).toEqual({ tried: 2, ended: "deleted" });
  expect(await tries("40001", 2)).toEqual({ tried: 3, ended: "deleted" });
  expect(await tries("23503", 4)).toEqual({ tried: 5, ended: "deleted" });
});

test("a deletion that keeps deadlocking or fails for another reason throws", async () => {
  expect(await tries("40P01", 99)).toEqual({ tried: 5, ended: "taken back" });
  expect(await tries("23505", 99)).toEqual({ tried: 1, ended: "taken back" });
});
