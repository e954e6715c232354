/** What tools ask goes through the proxy that their owner names, and through nothing else. */
import { eq, getTableName } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import type { Tool, ToolTrial } from "#contract/actions/tools.ts";
import { openProxy } from "#server/answers/tools/stored-proxy.ts";
import { placeOf as placeIn, SEALED_COLUMNS } from "#server/operations/master-key/sealed-columns.ts";
import { EXPORTED_TABLES } from "#server/operations/records/export/catalogue.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { toolConnections, tools, toolTables } from "#server/platform/db/schema/tools.ts";
import { addTool, bookingTool, orderApiTool, ordersTool } from "#server/test/actions/actions-bench.ts";
import { type CaldavServer, startCaldavServer } from "#server/test/actions/caldav-server.ts";
import { calendarTool, dayAfter } from "#server/test/actions/calendar-bench.ts";
import { mcp, prepareMcp, statusTool } from "#server/test/actions/mcp-bench.ts";
import { ann, prepareShop, shop, t } from "#server/test/actions/shop-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { textAnswer } from "#server/test/servers/mcp-server.ts";
import { type ProxyServer, startHttpProxy, startSocks5 } from "#server/test/servers/proxy-server.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareShop();
prepareMcp();

const PASSWORD = "canary-of-the-proxy";
let socks: ProxyServer;
let http: ProxyServer;
let dav: CaldavServer;
/** Who runs the installation: only he may name a proxy on this machine. */
let operator: TestClient;
let twinId: string;
beforeAll(async () => {
  socks = await startSocks5({ user: "shop", password: PASSWORD });
  http = await startHttpProxy();
  dav = await startCaldavServer();
});
afterAll(async () => {
  for (const server of [socks, http, dav]) await server.close();
});
beforeEach(async () => {
  operator = await t.signUp({ superAdmin: true });
  twinId = await buildTwin(operator);
  for (const proxy of [socks, http]) {
    proxy.targets.length = 0;
    proxy.mood = "well";
  }
});

const socksUrl = (password = PASSWORD) => `socks5://shop:${password}@127.0.0.1:${socks.port}`;
const httpUrl = () => `http://127.0.0.1:${http.port}`;
const label = () => `SOCKS5 127.0.0.1:${socks.port}`;
const placeOf = (url: string) => new URL(url).host;
const EVERYBODY = { proof: { everybody: true, channelPhone: null, asked: [] } };
const orders = (proxy?: string) => orderApiTool(shop.origin, proxy === undefined ? {} : { proxy }, EVERYBODY);
const tryIt = async (client: TestClient, { id }: Tool, given: Record<string, string>, really?: true) => {
  const values = Object.entries(given).map(([name, value]) => ({ name, value }));
  const answer = await client.post(`/api/tools/${id}/try`, { arguments: values, ...(really && { really }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ToolTrial>();
};
const set = (tool: Tool, settings: object) =>
  operator.put(`/api/tools/${tool.id}`, { ...orders(), settings: { ...orders().settings, ...settings } });
const audited = () => t.services.db.select().from(auditLog).where(eq(auditLog.orgId, operator.caller.organizationId));
const openMcp = (more: object) =>
  operator.post("/api/tool-connections/mcp", { twinId, title: "", url: mcp.url, auth: { kind: "none" }, ...more });
const openCalendar = (more: object = {}) =>
  operator.post("/api/tool-connections/calendars", {
    ...{ twinId, url: dav.origin, login: dav.login, password: dav.password, ...more },
  });

describe("a call over HTTP", () => {
  test("goes through its proxy, which is sealed, kept by a change, shown without its password, and removed", async () => {
    shop.answers.set("/orders/1042", { json: { order: { status: "Собран" } } });
    const tool = await addTool(operator, twinId, orders(socksUrl()));
    expect(tool.settings).toMatchObject({ proxy: label() });
    expect((await tryIt(operator, tool, { order_id: "1042" })).call.outcome).toBe("done");
    expect(socks.targets).toEqual([placeOf(shop.origin)]);

    const kept = await set(tool, { headers: [{ name: "X-Key" }] });
    expect(kept.json().settings.proxy).toBe(label());
    const read = () => asTenant(t.services.db, operator.caller, (tx) => tx.select().from(tools));
    const [row] = await read();
    expect(openProxy(t.services.vault, "tools", row!)).toMatchObject({ address: { password: PASSWORD } });
    const listed = await operator.get("/api/tools");
    const entries = await audited();
    const open = JSON.stringify([{ ...row, proxy: row!.proxy!.toString("latin1") }, entries]);
    for (const text of [open, listed.body, kept.body]) expect(text).not.toContain(PASSWORD);

    const removed = await set(tool, { proxy: "", headers: [{ name: "X-Key" }] });
    expect(removed.json().settings.proxy).toBeNull();
    expect((await read())[0]!.proxy).toBeNull();
    await tryIt(operator, tool, { order_id: "1042" });
    expect(socks.targets).toHaveLength(1);
  });

  test("is tried before it is saved, by the proxy that was entered or is stored", async () => {
    const values = [{ name: "order_id", value: "1042" }];
    shop.answers.set("/orders/1042", { json: { order: { status: "Собран" } } });
    const tryDraft = (tool: object, toolId?: string) =>
      operator.post("/api/tools/try", { twinId, tool, arguments: values, ...(toolId && { toolId }) });
    expect((await tryDraft(orders(httpUrl()))).json().call.outcome).toBe("done");
    expect(http.targets).toHaveLength(1);
    const { id } = await addTool(operator, twinId, orders(socksUrl()));
    expect((await tryDraft(orders(), id)).json().call.outcome).toBe("done");
    expect([socks.targets.length, http.targets.length]).toEqual([1, 1]);
  });

  test.each([
    ["that is none", "proxy.example.com:1080", "Начните с вида прокси"],
    [
      "that only Telegram has",
      "tg://proxy?server=a.example&port=443&secret=00112233445566778899aabbccddeeff",
      "MTProxy",
    ],
    ["in a private network", "socks5://10.0.0.7:1080", "в частной сети"],
    ["on this machine", "http://localhost:3128", "в частной сети"],
  ])("with a proxy %s is refused at its field", async (_, proxy, said) => {
    const own = await buildTwin(ann);
    const tool = orders(proxy);
    const address = { twinId: own, url: `${shop.origin}/a`, proxy };
    for (const answer of [
      await ann.post("/api/tools", { twinId: own, tool }),
      await ann.post("/api/tools/chosen", { twinId: own, tools: [tool] }),
      await ann.post("/api/tools/try", { twinId: own, tool, arguments: [{ name: "order_id", value: "1" }] }),
      await ann.post("/api/tools/tables", address),
      await ann.post("/api/tools/descriptions", address),
      await ann.post("/api/tool-connections/mcp", { ...address, title: "", auth: { kind: "none" } }),
      await ann.post("/api/tool-connections/calendars", { ...address, login: "a", password: "b" }),
    ])
      expect([answer.statusCode, answer.json().fields?.proxy]).toEqual([422, expect.stringContaining(said)]);
    expect(shop.requests).toEqual([]);
  });

  test("whose proxy fails says why and what to do, and was surely not made", async () => {
    const tool = await addTool(operator, twinId, bookingTool(shop.origin, { proxy: socksUrl("wrong") }));
    const sample = { date: dayAfter(2), time: "15:00" };
    const refused = await tryIt(operator, tool, sample, true);
    expect(refused.call).toMatchObject({
      outcome: "failed",
      note: expect.stringContaining("Прокси не принимает имя и пароль"),
    });
    const other = await addTool(operator, twinId, bookingTool(shop.origin, { proxy: socksUrl() }));
    socks.mood = "cannot-reach";
    const away = await tryIt(operator, other, sample, true);
    expect(away.call.note).toContain("Прокси не может соединиться с этим сервером");
    expect(JSON.stringify([refused, away])).not.toMatch(/wrong|canary/);
    expect(shop.requests).toEqual([]);
    const acts = await operator.get("/api/acts");
    expect(acts.body).not.toMatch(/wrong|canary/);
  });
});

test("a private address is refused before any proxy is asked", async () => {
  const url = "https://10.0.0.1/a";
  const proxy = httpUrl();
  for (const answer of [
    await operator.post("/api/tools", { twinId, tool: orderApiTool("https://nas.local", { proxy }) }),
    await operator.post("/api/tools/tables", { twinId, url, proxy }),
    await operator.post("/api/tools/descriptions", { twinId, url, proxy }),
    await openMcp({ url, proxy }),
    await openCalendar({ url, proxy }),
  ])
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining("публичный адрес")]);
  expect(http.targets).toEqual([]);
});

test("a table is read through its proxy, again when it is no longer fresh, and by the next one that replaces it", async () => {
  shop.answers.set("/orders.csv", { text: "Номер заказа,Статус\n1042,Собран\n" });
  const url = `${shop.origin}/orders.csv`;
  const read = (more: object) => operator.post("/api/tools/tables", { twinId, url, ...more });
  const table = (await read({ proxy: socksUrl() })).json();
  expect(table.proxy).toBe(label());
  const settings = { kind: "table" as const, tableId: table.id, keyColumn: "Номер заказа", shown: ["Статус"] };
  const tool = await addTool(operator, twinId, ordersTool(table.id, { ...EVERYBODY, settings }));
  expect(tool.settings).toMatchObject({ table: { proxy: label() } });
  const age = () =>
    asTenant(t.services.db, operator.caller, (tx) => tx.update(toolTables).set({ readAt: new Date(Date.now() - 9e5) }));
  await age();
  expect((await tryIt(operator, tool, { key: "1042" })).call.outcome).toBe("done");
  expect(socks.targets).toHaveLength(2);

  socks.mood = "forbids";
  await age();
  await tryIt(operator, tool, { key: "1042" });
  const [listed] = (await operator.get("/api/tools")).json();
  expect(listed.settings.table.failure).toContain("Прокси не пускает к этому серверу");
  const refused = await read({ formerId: table.id });
  expect(refused.json().fields.proxy).toContain("Прокси не пускает");
  socks.mood = "well";
  expect((await read({ formerId: table.id })).json().proxy).toBe(label());
  expect((await read({ formerId: table.id, proxy: "" })).json().proxy).toBeNull();
  expect((await read({})).json().proxy).toBeNull();
  expect(socks.targets).toHaveLength(5);
});

test("a description is fetched through the proxy, and its tools have the one that was entered", async () => {
  shop.answers.set("/openapi.json", {
    json: { openapi: "3.0.0", paths: { "/stock": { get: { summary: "Остаток" } } } },
  });
  const url = `${shop.origin}/openapi.json`;
  const read = await operator.post("/api/tools/descriptions", { twinId, url, proxy: httpUrl() });
  expect(read.json(), read.body).toMatchObject({ total: 1 });
  expect(http.targets).toEqual([placeOf(shop.origin)]);
  const chosen = await operator.post("/api/tools/chosen", { twinId, tools: [orders(httpUrl()), orders(httpUrl())] });
  expect(chosen.json().map(({ settings }: Tool) => (settings as { proxy: string }).proxy)).toEqual(
    Array(2).fill(`HTTP 127.0.0.1:${http.port}`),
  );
  http.mood = "cannot-reach";
  const refused = await operator.post("/api/tools/descriptions", { twinId, url, proxy: httpUrl() });
  expect(refused.json().fields.proxy).toContain("Прокси не может соединиться");
});

describe("an MCP server", () => {
  test("is signed in to, listed and called through its proxy", async () => {
    mcp.auth.required = true;
    const opened = await openMcp({ auth: { kind: "oauth" }, proxy: socksUrl() });
    expect(opened.json().connection, opened.body).toMatchObject({ state: "sign-in", proxy: label() });
    const begun = socks.targets.length;
    const { code, state } = mcp.auth.allow(opened.json().signInUrl);
    const completed = await operator.post("/api/tool-connections/complete", { code, state });
    const { id } = completed.json();
    expect(completed.json(), completed.body).toMatchObject({ state: "ready", proxy: label() });
    mcp.answers.set("order_status", textAnswer('{"status":"Собран"}'));
    const tool = await addTool(operator, twinId, statusTool(id, {}, EVERYBODY));
    mcp.auth.accessTokens.clear();
    const before = socks.targets.length;
    expect((await tryIt(operator, tool, { order_id: "1042" })).call.outcome).toBe("done");
    expect([begun, before, socks.targets.length].every((count, at, all) => count > (all[at - 1] ?? 0))).toBe(true);
    expect(new Set(socks.targets)).toEqual(new Set([placeOf(mcp.url)]));
    // Every request to the server was one of the proxy's connections.
    socks.mood = "forbids";
    expect((await tryIt(operator, tool, { order_id: "1042" })).call).toMatchObject({
      ...{ outcome: "failed", note: expect.stringContaining("Прокси не пускает к этому серверу") },
    });
    const again = await operator.post(`/api/tool-connections/${id}/renew`, { kind: "again" });
    expect(again.json().fields.proxy).toContain("Прокси не пускает");
  });

  test("gets another proxy or none, by those who may change its twin", async () => {
    const { connection } = (await openMcp({})).json();
    const at = `/api/tool-connections/${connection.id}`;
    const changed = await operator.put(`${at}/proxy`, { proxy: socksUrl() });
    expect(changed.json(), changed.body).toMatchObject({ ...connection, proxy: label() });
    expect((await operator.post(`${at}/read`)).statusCode).toBe(200);
    expect(socks.targets.length).toBeGreaterThan(0);
    const [row] = await asTenant(t.services.db, operator.caller, (tx) => tx.select().from(toolConnections));
    expect(openProxy(t.services.vault, "tool_connections", row!)).toMatchObject({ mayBePrivate: true });
    expect(row!.proxy!.includes(PASSWORD)).toBe(false);
    const { organizationId } = operator.caller;
    for (const [client, status] of [
      [await t.signUp(), 404],
      [await t.signUp({ role: "user", organizationId }), 403],
    ] as const)
      expect((await client.put(`${at}/proxy`, { proxy: "" })).statusCode).toBe(status);
    const colleague = await t.signUp({ organizationId });
    expect((await colleague.put(`${at}/proxy`, { proxy: httpUrl() })).json().fields.proxy).toContain("в частной сети");
    expect((await colleague.put(`${at}/proxy`, { proxy: "" })).json().proxy).toBeNull();
    const entries = await audited();
    expect(entries.filter(({ action }) => action === "tool-proxy-changed")).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
  });
});

test("a calendar is found, read and booked through its proxy, which a new password keeps", async () => {
  const opened = await openCalendar({ proxy: socksUrl() });
  expect(opened.json(), opened.body).toMatchObject({ state: "ready", proxy: label() });
  const account = opened.json();
  const found = socks.targets.length;
  expect(found).toBeGreaterThan(0);
  const tool = await addTool(operator, twinId, calendarTool(account, "book"));
  const booked = await tryIt(operator, tool, { date: dayAfter(1), time: "10:00" }, true);
  expect(booked.call.outcome, JSON.stringify(booked)).toBe("done");
  expect(socks.targets.length).toBeGreaterThan(found);
  expect(new Set(socks.targets)).toEqual(new Set([placeOf(dav.origin)]));

  socks.mood = "hangs-up";
  const broken = await tryIt(operator, tool, { date: dayAfter(1), time: "11:00" }, true);
  expect(broken.call).toMatchObject({ outcome: "failed", note: expect.stringContaining("Прокси") });
  expect((await openCalendar()).json().fields.proxy).toContain("Прокси");
  socks.mood = "well";
  expect((await openCalendar()).json()).toMatchObject({ id: account.id, proxy: label() });
  expect((await openCalendar({ proxy: "" })).json()).toMatchObject({ id: account.id, proxy: null });
  const [listed] = (await operator.get("/api/tool-connections")).json() as ToolConnection[];
  expect(listed!.proxy).toBeNull();
});

test("the sealed proxies are where a change of the master key looks for them, and in no export", async () => {
  await addTool(operator, twinId, orders(socksUrl()));
  shop.answers.set("/orders.csv", { text: "Номер заказа,Статус\n1042,Собран\n" });
  await operator.post("/api/tools/tables", { twinId, url: `${shop.origin}/orders.csv`, proxy: socksUrl() });
  await openMcp({ proxy: socksUrl() });
  for (const table of [tools, toolTables, toolConnections]) {
    const [row] = await asTenant(t.services.db, operator.caller, (tx) => tx.select().from(table));
    const column = SEALED_COLUMNS.find((one) => one.table === getTableName(table) && one.column === "proxy")!;
    const opened = t.services.vault.open(placeIn(column, [row!.id], row!.orgId), row!.proxy!);
    expect(JSON.parse(opened).address.password).toBe(PASSWORD);
    expect(EXPORTED_TABLES.find((one) => one.table === table)!.columns).not.toHaveProperty("proxy");
  }
});

test("a list is shown though the proxy of one of its tools cannot be opened", async () => {
  const tool = await addTool(operator, twinId, orders(socksUrl()));
  await asTenant(t.services.db, operator.caller, (tx) => tx.update(tools).set({ proxy: Buffer.from("damaged") }));
  const [listed] = (await operator.get("/api/tools")).json();
  expect(listed.settings.proxy).toBe("не читается, введите снова");
  expect((await set(tool, { proxy: httpUrl(), headers: [{ name: "X-Key" }] })).json().settings.proxy).toContain("HTTP");
});
