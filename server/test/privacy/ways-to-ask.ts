/** Every way on which an asker who is not the owner asks a twin and gets an answer. */
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { asTenant } from "#server/platform/db/database.ts";
import type { TestApp, TestClient } from "../test-app.ts";

/** Sends a message and gives what comes back for its author. */
export type Ask = (message: string) => Promise<string>;

interface Place {
  t: TestApp;
  owner: TestClient;
  twinId: string;
}

/** @param token of a Telegram bot */
export async function waysToAsk(place: Place, token: string): Promise<Record<string, Ask>> {
  return {
    "a key": await byKey(place),
    "a key, as a stream": await byKey(place, { stream: true }),
    "the Model Context Protocol": await byMcp(place),
    "the widget": await byWidget(place),
    "a connected platform": await byPlatform(place, token),
  };
}

function bodyOf({ statusCode, body }: LightMyRequestResponse): string {
  expect(statusCode, body).toBe(200);
  expect(body).not.toContain("error");
  return body;
}

async function keyOf({ owner, twinId }: Place, scopes: string[]): Promise<string> {
  const limits = { dailyMessages: 1000, dailyTokens: 1_000_000 };
  return (await owner.post(`/api/digital-twins/${twinId}/keys`, { name: "Сайт", scopes, ...limits })).json().token;
}

async function byKey(place: Place, more: { stream?: true } = {}): Promise<Ask> {
  const authorization = `Bearer ${await keyOf(place, ["ask"])}`;
  return async (content) => {
    const payload = { model: place.twinId, messages: [{ role: "user", content }], user: "ivan", ...more };
    const url = "/v1/chat/completions";
    const body = bodyOf(await place.t.anonymous.inject({ method: "POST", url, headers: { authorization }, payload }));
    if (!more.stream) return body;
    // The words of a stream stand in lines of their own.
    return [...body.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, said]) => JSON.parse(said!)).join("");
  };
}

async function byMcp(place: Place): Promise<Ask> {
  const headers = {
    authorization: `Bearer ${await keyOf(place, ["ask", "mcp"])}`,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  };
  return async (message) => {
    const params = { name: "ask_twin", arguments: { message, user: "olga" } };
    const payload = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return bodyOf(await place.t.anonymous.inject({ method: "POST", url: "/mcp", headers, payload }));
  };
}

async function byWidget({ t, owner, twinId }: Place): Promise<Ask> {
  const settings = { title: "Чат", greeting: "Здравствуйте!", color: "#0f5f63", autonomy: "auto" };
  const site = { enabled: true, allowedSites: ["https://shop.example.test"], ...settings, dailyMessages: 1000 };
  const { id } = (await owner.put(`/api/digital-twins/${twinId}/widget`, site)).json();
  const headers = { "x-visitor": randomBytes(32).toString("base64url"), "sec-fetch-site": "same-origin" };
  return async (text) => {
    const payload = { id: randomUUID(), text };
    return bodyOf(await t.anonymous.inject({ method: "POST", url: `/widget/${id}/messages`, headers, payload }));
  };
}

async function byPlatform({ t, owner, twinId }: Place, token: string): Promise<Ask> {
  const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: token };
  const integrationId: string = (await owner.post("/api/integrations/create", bot)).json().id;
  const { organizationId, userId } = owner.caller;
  let position = 0;
  return async (text) => {
    position++;
    const peer = { id: "user7", name: "Пётр" };
    const event = { eventId: String(position), conversation: "7", position, peer, text };
    const sentAt = new Date().toISOString();
    const place = { id: integrationId, organizationId, userId };
    await storeInbound(t.services, place, { ...event, attachments: [], sentAt, automated: false });
    const job = { organizationId, userId, integrationId, conversationKey: "7" };
    await processInbox(t.services, job, new AbortController().signal, { begins: () => {}, delta: () => {} });
    const { rows } = await asTenant(t.services.db, owner.caller, (tx) =>
      tx.execute<{ text: string }>(sql`select text from outbox order by created_at desc limit 1`),
    );
    return rows[0]!.text;
  };
}
