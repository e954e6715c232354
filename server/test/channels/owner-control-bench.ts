/** Bots of an organisation that answer automatically. */
import { afterAll, beforeAll } from "vitest";
import { type BotBench, botBench } from "#server/test/channels/bot-bench.ts";

export let bench: BotBench;

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareOwnerControl(): void {
  beforeAll(async () => {
    bench = await botBench();
  });
  afterAll(() => bench.close());
}
