/** A visitor is answered by the request while it lives, and soon after it has ended early; never twice. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { WidgetConversation, WidgetLine } from "#contract/integrations/widget.ts";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import type { TestApp } from "#server/test/test-app.ts";
import { newVisitor, prepareWidget, t, widgetId } from "#server/test/widget/widget-bench.ts";
import { LEASE } from "./answer-lease.ts";

const SAID = "Доставка по Москве стоит 350 рублей.";
let model: OpenAiServer;
const usual = { ...LEASE };
beforeAll(async () => {
  model = await startOpenAiServer({ text: SAID });
  // The renewal is real time: short enough not to be waited for. Nobody waits for the end of the lease.
  Object.assign(LEASE, { ms: 200_000, renewMs: 200 });
});
afterAll(async () => {
  Object.assign(LEASE, usual);
  await model.close();
});
prepareWidget(() => ({ llm: { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 60 } }));

/** What the model answers waits until the test lets it go. */
function hold() {
  const held = Promise.withResolvers<void>();
  model.script({ kind: "ok", heldUntil: held.promise });
  const asked = model.requests.length + 1;
  return {
    letGo: held.resolve,
    asked: () => vi.waitFor(() => expect(model.requests).toHaveLength(asked), { timeout: 120_000 }),
  };
}

const say = (visitor: string, text: string, of: TestApp = t) =>
  of.anonymous.inject({
    method: "POST",
    url: `/widget/${widgetId}/messages`,
    headers: { "x-visitor": visitor, "sec-fetch-site": "same-origin" },
    payload: { id: randomUUID(), text },
  });
const linesOf = async (visitor: string): Promise<WidgetLine[]> => {
  const headers = { "x-visitor": visitor, "sec-fetch-site": "same-origin" };
  const answer = await t.anonymous.inject({ url: `/widget/${widgetId}/talk?after=0`, headers });
  return answer.json<WidgetConversation>().lines;
};
const answersTo = async (visitor: string) => (await linesOf(visitor)).filter(({ from }) => from === "twin").length;
const jobs = async (state: string) =>
  (
    await t.services.db.execute(
      sql`select data, start_after from jobs.job where name = 'process-inbox' and state = ${state}`,
    )
  ).rows as { data: Parameters<typeof processInbox>[1]; start_after: string }[];

test("while the request lives the job is put off, however long the answer takes", async () => {
  const { letGo, asked } = hold();
  const visitor = newVisitor();
  const answer = say(visitor, "Сколько стоит доставка по Москве?");
  await asked();
  const [first] = await jobs("created");
  await vi.waitFor(async () => expect((await jobs("created"))[0]?.start_after).not.toEqual(first!.start_after), {
    timeout: 120_000,
  });
  letGo();
  expect((await answer).body).toContain("350 рублей");
  await t.jobsIdle();
  expect([await answersTo(visitor), model.requests.length]).toEqual([1, 1]);
});

test("a message that another run answers first is not answered again together with the next one", async () => {
  const before = model.requests.length;
  const visitor = newVisitor();
  const first = hold();
  const answer = say(visitor, "Сколько стоит доставка по Москве?");
  await first.asked();
  // As after a kill: the job of the message runs beside a request that has loaded the message too, with a later one.
  const [{ data: job }] = (await jobs("created")) as [
    { data: Parameters<typeof processInbox>[1]; start_after: string },
  ];
  await t.services.db.execute(sql`insert into inbox_events (org_id, integration_id, event_id, conversation_key, position, inbound)
    select org_id, integration_id, event_id || ':next', conversation_key, position + 1,
      inbound || '{"eventId": "next", "text": "А возврат возможен?"}' from inbox_events
    where conversation_key = ${job.conversationKey}`);
  const both = hold();
  const second = processInbox(t.services, job, new AbortController().signal, { begins() {}, delta() {} });
  await both.asked();
  first.letGo();
  await answer;
  both.letGo();
  await second;
  await vi.waitFor(async () => expect(await answersTo(visitor)).toBe(2), { timeout: 120_000 });
  await t.jobsIdle();
  const asked = model.requests.slice(before).map(({ body }) => body.messages!.at(-1)!.content);
  expect(asked.at(-1)).not.toContain("доставка по Москве?\nА возврат");
  expect((await linesOf(visitor)).map(({ from }) => from).sort()).toEqual(["twin", "twin", "visitor", "visitor"]);
});

test("a request that the stopping server cuts off is answered by the job, once", async () => {
  const { letGo, asked } = hold();
  const visitor = newVisitor();
  const answer = say(visitor, "Сколько стоит доставка по Москве?");
  await asked();
  expect(await t.app.drain(0)).toBe(false);
  expect((await answer).body).toContain("event: error");
  letGo();
  await t.jobsIdle();
  const { rows } = await t.services.db.execute(sql`select count(*)::int as sent from conversation_messages m
    join conversations c on c.id = m.conversation_id where m.role = 'assistant'
      and c.created_at = (select max(created_at) from conversations)`);
  expect(rows).toEqual([{ sent: 1 }]);
});
