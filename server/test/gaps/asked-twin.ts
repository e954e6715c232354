/** A twin with a chat on its owner's site, whose visitors ask what it may not know. */
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Gap, GapState, Gaps } from "#contract/gaps.ts";
import type { WidgetConversation } from "#contract/integrations/widget.ts";
import { buildDocument, buildTwin } from "../factories/build-twin.ts";
import type { TestApp, TestClient } from "../test-app.ts";

export interface AskedTwin {
  owner: TestClient;
  twinId: string;
  /** Asks as a visitor and gives the last line that the visitor sees. */
  ask(visitor: string, text: string): Promise<string>;
  lines(visitor: string): Promise<WidgetConversation["lines"]>;
  /** What the twin may do without approval. */
  answersBy(autonomy: string): Promise<void>;
  list(state?: GapState): Promise<Gaps>;
  decide(gap: Gap, body: object): Promise<number>;
  /** Answers those who asked. */
  answer(gap: Gap, text: string): Promise<number>;
  answerEverybody(gap: Gap, text: string): Promise<number>;
  drafts(): Promise<Approval[]>;
}

/**
 * Resolves when no job waits or runs but those that would take a visitor's message over from a request that had died: they wait for
 * minutes.
 */
export async function settled(t: TestApp): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { rows } = await t.services.db.execute(
      sql`select name, state, output from jobs.job where state in ('created', 'retry', 'active') and name <> 'process-inbox'`,
    );
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Jobs did not end in time: ${JSON.stringify(rows)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const newVisitor = () => randomBytes(32).toString("base64url");

export async function askedTwin(t: TestApp, owner: TestClient): Promise<AskedTwin> {
  const twinId = await buildTwin(owner);
  await buildDocument(owner, twinId, "Доставка по Москве занимает один день и стоит 350 рублей.");
  await settled(t);
  let widgetId = "";
  const headers = (visitor: string) => ({ "x-visitor": visitor, "sec-fetch-site": "same-origin" });
  const answersBy = async (autonomy: string) => {
    const saved = await owner.put(`/api/digital-twins/${twinId}/widget`, {
      ...{ enabled: true, allowedSites: [], title: "Спросите нас", greeting: "Здравствуйте!", color: "#0f5f63" },
      ...{ autonomy, dailyMessages: 1000 },
    });
    widgetId = saved.json().id;
  };
  await answersBy("auto");
  const lines = async (visitor: string) => {
    const talk = await t.anonymous.inject({ url: `/widget/${widgetId}/talk?after=0`, headers: headers(visitor) });
    return talk.json<WidgetConversation>().lines;
  };
  const decide = async (gap: Gap, body: object) =>
    (await owner.put(`/api/digital-twins/${twinId}/gaps/${gap.id}`, body)).statusCode;
  return {
    ...{ owner, twinId, answersBy, lines, decide },
    async ask(visitor, text) {
      const payload = { id: randomUUID(), text };
      const url = `/widget/${widgetId}/messages`;
      // Each from an address of his own: what one address may send in a minute is not what these tests are about.
      const remoteAddress = `10.${[...Buffer.from(visitor, "base64url").subarray(0, 3)].join(".")}`;
      const taken = await t.anonymous.inject({
        method: "POST",
        url,
        headers: headers(visitor),
        payload,
        remoteAddress,
      });
      if (taken.statusCode >= 400) throw new Error(`${taken.statusCode} ${taken.body}`);
      return (await lines(visitor)).at(-1)?.text ?? "";
    },
    list: async (state = "open") => (await owner.get(`/api/digital-twins/${twinId}/gaps?state=${state}`)).json(),
    answer: (gap, text) => decide(gap, { decision: "answer", question: gap.question, text }),
    answerEverybody: (gap, text) =>
      decide(gap, { decision: "answer", question: gap.question, text, scope: "everybody" }),
    drafts: async () => (await owner.get("/api/approvals")).json(),
  };
}
