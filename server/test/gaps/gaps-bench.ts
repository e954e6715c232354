/** A twin with an account of its owner, for questions that it cannot answer. */
import { afterAll, beforeAll } from "vitest";
import { type AskedTwin, askedTwin } from "#server/test/gaps/asked-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export const SNOWMOBILE = "Во сколько лет можно водить снегоход?";
export const ANSWER = "Снегоход можно водить с 16 лет.";

export let t: TestApp;

export const twinOf = async (): Promise<AskedTwin> => askedTwin(t, await t.signUp());
export const testChat = ({ owner, twinId }: AskedTwin, message: string) =>
  owner.post("/api/ai-generate", { twinId, message });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareGaps(): void {
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
}
