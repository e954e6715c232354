import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Integration } from "#contract/integrations/integrations.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { type BotBench, botBench, WAIT } from "#server/test/channels/bot-bench.ts";
import { FAILURES } from "./circuit-breaker.ts";

let bench: BotBench;

beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());

test("sending to a failing platform pauses, then one message probes it; the rest follow, and nothing is sent twice", async () => {
  const { t, telegram, connect, outboxOf, sentTo } = bench;
  const bot = await connect("auto");
  const path = `/api/integrations/${bot.integration.id}`;
  const shown = async (): Promise<Integration> => (await bot.owner.get(path)).json();
  const states = async () => (await outboxOf(bot)).map(({ state }) => state).sort();
  telegram.script(...Array.from({ length: FAILURES + 1 }, () => ({ kind: "error", status: 500 }) as const));
  const write = (count: number) => {
    const people = Array.from({ length: count }, () => bench.person());
    for (const person of people) telegram.say(bot.token, person, "Привет!");
    return people;
  };
  write(FAILURES);
  await expect.poll(states, WAIT).toEqual(Array(FAILURES).fill("unknown"));
  expect(await shown()).toMatchObject({
    connection: "trouble",
    trouble: expect.stringMatching(/^Платформа не отвечает/),
  });
  const until = (pause: number) =>
    t.services.db
      .update(integrations)
      .set({ sendPausedUntil: new Date(Date.now() + pause) })
      .where(eq(integrations.id, bot.integration.id));
  // Sets the pause so long that it cannot end on a slow machine.
  await until(3600_000);
  const later = write(4);
  await expect.poll(async () => (await states()).length, WAIT).toBe(FAILURES + 4);
  await t.jobsIdle();
  expect(telegram.sends).toBe(FAILURES);
  const due = () =>
    t.services.db.execute(`update outbox set next_attempt_at = now() where integration_id = '${bot.integration.id}'
      and state = 'pending'`);
  // After the pause, one message tries and fails, and the others go on waiting.
  await until(0);
  await due();
  await expect.poll(() => telegram.sends, WAIT).toBe(FAILURES + 1);
  await t.jobsIdle();
  expect((await states()).filter((state) => state === "pending")).toHaveLength(3);
  await until(0);
  await due();
  await expect.poll(() => later.filter((person) => sentTo(person).length === 1).length, WAIT).toBe(3);
  expect(await shown()).toMatchObject({ connection: "connected", trouble: null });
  expect(telegram.sends).toBe(FAILURES + 1 + 3);
  const log = (await bot.owner.get(`${path}/events`)).json().map(({ text }: { text: string }) => text);
  expect(log).toContain("Отправка снова работает");
});
