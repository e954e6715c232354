/** A member signs his twin in to an MCP server by OAuth. */
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { toolConnections } from "#server/platform/db/schema/tools.ts";
import { addTool } from "#server/test/actions/actions-bench.ts";
import { mcp, open, prepareMcp, statusTool, tryTool } from "#server/test/actions/mcp-bench.ts";
import { ann, prepareShop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { textAnswer } from "#server/test/servers/mcp-server.ts";

prepareShop();
prepareMcp();
beforeEach(() => {
  mcp.auth.required = true;
});

interface Begun {
  connection: ToolConnection;
  signInUrl: string;
}

async function begin(): Promise<Begun> {
  const opened = await open(ann, twinId, { kind: "oauth" });
  expect(opened.statusCode, opened.body).toBe(201);
  return opened.json();
}
const complete = (client: typeof ann, { code, state }: { code: string; state: string }, more: object = {}) =>
  client.post("/api/tool-connections/complete", { code, state, ...more });
const connection = async (): Promise<ToolConnection> => (await ann.get("/api/tool-connections")).json()[0];

async function signedIn(): Promise<ToolConnection> {
  const { signInUrl } = await begin();
  const completed = await complete(ann, mcp.auth.allow(signInUrl));
  expect(completed.statusCode, completed.body).toBe(200);
  return completed.json();
}

test("he is sent to the server's own page, comes back with a code, and the list is read; tokens are sealed and shown nowhere", async () => {
  const { connection: begun, signInUrl } = await begin();
  expect(begun).toMatchObject({ state: "sign-in", auth: "oauth", server: null, offers: [] });
  const allowed = mcp.auth.allow(signInUrl);
  expect(allowed.redirectUri).toBe(`${t.services.config.publicUrl}/twin-tools/${twinId}`);
  const completed = await complete(ann, allowed, { issuer: mcp.origin });
  expect(completed.json()).toMatchObject({ id: begun.id, state: "ready", title: "Лавка 2.1", failure: null });
  expect(completed.json().offers).toHaveLength(3);
  const [row] = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(toolConnections));
  const stored = JSON.stringify({ ...row, secrets: row!.secrets!.toString("latin1") });
  for (const token of [...mcp.auth.accessTokens, ...mcp.auth.refreshTokens, allowed.code, allowed.state])
    expect(stored + JSON.stringify(await connection())).not.toContain(token);
});

test("nobody else completes it, nor does he twice, later, or with a code of another server", async () => {
  const { signInUrl } = await begin();
  const allowed = mcp.auth.allow(signInUrl);
  const colleague = await t.signUp({ role: "org_admin", organizationId: ann.caller.organizationId });
  for (const client of [await t.signUp(), colleague])
    expect((await complete(client, allowed)).json()).toMatchObject({ code: "tool_sign_in_over" });
  const foreign = await complete(ann, allowed, { issuer: "https://evil.example" });
  expect(foreign.json()).toMatchObject({ message: "Код прислал не тот сервер входа. Начните вход заново" });
  expect((await complete(ann, allowed)).json()).toMatchObject({ code: "tool_sign_in_over" });
  const later = await begin();
  await asTenant(t.services.db, ann.caller, (tx) =>
    tx
      .update(toolConnections)
      .set({ auth: sql`jsonb_set(auth, '{signIn,expiresAt}', '"2020-01-01T00:00:00.000Z"')` })
      .where(eq(toolConnections.id, later.connection.id)),
  );
  expect((await complete(ann, mcp.auth.allow(later.signInUrl))).json()).toMatchObject({ code: "tool_sign_in_over" });
  expect(mcp.auth.asked.filter(({ path }) => path === "/token")).toEqual([]);
});

test("an expired token is refreshed once before the call; calls at the same time share it", async () => {
  const { id } = await signedIn();
  mcp.answers.set("order_status", textAnswer('{"status":"Собран"}'));
  const proof = { everybody: true, channelPhone: null, asked: [] };
  const tool = await addTool(ann, twinId, statusTool(id, {}, { proof }));
  mcp.auth.accessTokens.clear();
  mcp.auth.asked.length = 0;
  const trials = await Promise.all([1, 2, 3].map(() => tryTool(ann, tool.id, { order_id: "1042" })));
  expect(trials.map(({ call }) => call.outcome)).toEqual(["done", "done", "done"]);
  expect(mcp.auth.asked.map(({ path, body }) => [path, new URLSearchParams(body).get("grant_type")])).toEqual([
    ["/token", "refresh_token"],
  ]);
  expect(mcp.calls).toHaveLength(3);
});

test("what was revoked is said so, calls nothing, and is signed in to again with its tools", async () => {
  const { id } = await signedIn();
  mcp.answers.set("order_status", textAnswer('{"status":"Собран"}'));
  const proof = { everybody: true, channelPhone: null, asked: [] };
  const tool = await addTool(ann, twinId, statusTool(id, {}, { proof }));
  mcp.auth.accessTokens.clear();
  mcp.auth.refreshTokens.clear();
  mcp.auth.asked.length = 0;
  const said = "Сервер больше не принимает вход: подключите его снова";
  expect((await tryTool(ann, tool.id, { order_id: "1042" })).call).toMatchObject({ outcome: "failed", note: said });
  expect(await connection()).toMatchObject({ state: "broken", failure: said, tools: [{ id: tool.id, enabled: true }] });
  // Nothing is registered anew without a person.
  expect(mcp.auth.asked.map(({ path }) => path)).toEqual(["/token"]);
  expect(mcp.calls).toEqual([]);
  const renewed = await ann.post(`/api/tool-connections/${id}/renew`, { kind: "again" });
  const again = await complete(ann, mcp.auth.allow(renewed.json().signInUrl));
  expect(again.json()).toMatchObject({ id, state: "ready", failure: null });
  expect((await tryTool(ann, tool.id, { order_id: "1042" })).call.outcome).toBe("done");
});

test("a new sign-in that is given up leaves the former one in use", async () => {
  const { id } = await signedIn();
  await ann.post(`/api/tool-connections/${id}/renew`, { kind: "again" });
  expect((await ann.post(`/api/tool-connections/${id}/read`)).json()).toMatchObject({ state: "ready" });
  // A refresh meanwhile keeps what was begun.
  const renewed = await ann.post(`/api/tool-connections/${id}/renew`, { kind: "again" });
  mcp.auth.accessTokens.clear();
  expect((await ann.post(`/api/tool-connections/${id}/read`)).json()).toMatchObject({ state: "ready" });
  expect((await complete(ann, mcp.auth.allow(renewed.json().signInUrl))).json()).toMatchObject({ state: "ready" });
});

test.each<[string, () => void]>([
  ["an authorization server", () => Object.assign(mcp.auth, { servers: ["http://10.0.0.1"] })],
  ["a registration", () => Object.assign(mcp.auth.metadata, { registration_endpoint: "http://10.0.0.1/register" })],
  [
    "a page to sign in",
    () => Object.assign(mcp.auth.metadata, { authorization_endpoint: "http://10.0.0.1/authorize" }),
  ],
])("%s at a private address is not asked", async (_, prepare) => {
  prepare();
  const opened = await open(ann, twinId, { kind: "oauth" });
  expect(opened.statusCode).toBe(422);
  expect(opened.json().message).toMatch(/Адрес не публичный|Войти не получилось/);
  expect((await ann.get("/api/tool-connections")).json()).toEqual([]);
});

test("a private address for tokens is not asked", async () => {
  mcp.auth.metadata = { token_endpoint: "http://10.0.0.1/token" };
  const { signInUrl } = await begin();
  const completed = await complete(ann, mcp.auth.allow(signInUrl));
  expect(completed.json()).toMatchObject({ message: "Сервер не принял вход. Начните его заново" });
  expect(await connection()).toMatchObject({ state: "sign-in" });
});

test("a server that asks for no sign-in is said so", async () => {
  mcp.auth.required = false;
  const opened = await open(ann, twinId, { kind: "oauth" });
  expect(opened.json()).toMatchObject({ message: "Сервер не просит входа: подключите его без ключа" });
});
