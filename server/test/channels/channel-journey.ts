/** What the journeys of all channels share: a twin is connected by the form's call, answers are decided, rows are looked at. */
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ChatMessage, Conversation } from "#contract/conversations/conversations.ts";
import type { Autonomy, Integration } from "#contract/integrations/integrations.ts";
import type { Receiving } from "#server/inbox/channel-protocol/channel.ts";
import { inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "../factories/build-twin.ts";
import type { TestApp, TestClient } from "../test-app.ts";

export const WAIT = { timeout: 20_000, interval: 50 };

export interface Connected {
  ann: TestClient;
  twinId: string;
  integration: Integration;
}

/** A twin of a new owner with an integration; it drafts unless told otherwise. */
export async function connectTwin(t: TestApp, fields: object, autonomy: Autonomy = "draft"): Promise<Connected> {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const made = await ann.post("/api/integrations/create", { digitalTwinId: twinId, ...fields });
  expect(made.statusCode, made.body).toBe(201);
  const integration: Integration = made.json();
  if (autonomy !== "draft") await ann.put(`/api/integrations/${integration.id}`, { autonomy });
  return { ann, twinId, integration };
}

/** Status and sentence of a connection that is refused; nothing of it may be kept. */
export async function refusedConnection(t: TestApp, fields: object): Promise<[number, string]> {
  const ann = await t.signUp();
  const digitalTwinId = await buildTwin(ann);
  const answer = await ann.post("/api/integrations/create", { digitalTwinId, ...fields });
  expect((await ann.get("/api/integrations")).json()).toEqual([]);
  return [answer.statusCode, answer.json().message];
}

export const approvals = async (client: TestClient): Promise<Approval[]> => (await client.get("/api/approvals")).json();
export const listedConversations = async (client: TestClient): Promise<Conversation[]> =>
  (await client.get("/api/conversations")).json();
export const transcript = async (client: TestClient, id: string): Promise<ChatMessage[]> =>
  (await client.get(`/api/conversations/${id}/messages`)).json();
export const shown = async ({ ann, integration }: Connected): Promise<Integration> =>
  (await ann.get("/api/integrations")).json().find(({ id }: Integration) => id === integration.id);

export const rowsOf = (t: TestApp, { integration }: Connected) =>
  t.services.db.select().from(outbox).where(eq(outbox.integrationId, integration.id)).orderBy(outbox.createdAt);
export const eventsOf = (t: TestApp, { integration }: Connected) =>
  t.services.db.select().from(inboxEvents).where(eq(inboxEvents.integrationId, integration.id)).orderBy(inboxEvents.id);

/** The fields of a hand-made `Receiving` that deal with unreadable events, for tests without such events. */
export const untroubled: Pick<Receiving, "organizationId" | "attempt" | "again"> = {
  organizationId: "00000000-0000-4000-8000-000000000000",
  attempt: (_event, work) => work(),
  again: async () => [],
};

/** The drafts, when there are so many. */
export async function drafted(client: TestClient, count = 1): Promise<Approval[]> {
  await expect.poll(async () => (await approvals(client)).length, WAIT).toBe(count);
  return approvals(client);
}
