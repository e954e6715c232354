/** Tools as their owner makes, tries and changes them. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Tool, ToolTrial } from "#contract/actions/tools.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { tools, toolTables } from "#server/platform/db/schema/tools.ts";
import {
  addOrders,
  addTool,
  bookingTool,
  orderApiTool,
  ordersTool,
  readOrders,
} from "#server/test/actions/actions-bench.ts";
import { ann, prepareShop, shop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareShop();

const tryIt = async (client: TestClient, id: string, given: Record<string, string>, really?: boolean) => {
  const values = Object.entries(given).map(([name, value]) => ({ name, value }));
  return client.post(`/api/tools/${id}/try`, { arguments: values, ...(really === undefined ? {} : { really }) });
};
const trialOf = async (...asked: Parameters<typeof tryIt>): Promise<ToolTrial> => {
  const answer = await tryIt(...asked);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

describe("a table", () => {
  test("is read with its columns and first rows, from CSV and from Excel", async () => {
    const { columns, rows, sample, url } = await readOrders(ann, twinId);
    expect([columns, rows, url]).toEqual([
      ["Номер заказа", "Телефон", "Статус", "Доставка", "Заметка для своих"],
      3,
      null,
    ]);
    expect(sample[0]).toEqual([
      "1042",
      "+7 912 345-67-89",
      "Собран, ждёт курьера",
      "3 декабря с 10 до 14",
      "скидка 15 %",
    ]);
    const { utils, write } = await import("@e965/xlsx");
    const book = utils.book_new();
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ["Номер", "Статус"],
        ["7", "Готов"],
        ["8", "В пути"],
      ]),
      "Лист1",
    );
    const content = (write(book, { type: "buffer", bookType: "xlsx" }) as Buffer).toString("base64");
    const excel = await ann.post("/api/tools/tables", { twinId, name: "a.xlsx", content });
    expect(excel.json()).toMatchObject({
      columns: ["Номер", "Статус"],
      rows: 2,
      sample: [
        ["7", "Готов"],
        ["8", "В пути"],
      ],
    });
  });

  test("that no tool uses is kept while it is among the latest five of its twin", async () => {
    const used = await addOrders(ann, twinId);
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) ids.push((await readOrders(ann, twinId)).id);
    const kept = await asTenant(t.services.db, ann.caller, (tx) => tx.select({ id: toolTables.id }).from(toolTables));
    const { tableId } = used.settings as { tableId: string };
    expect(kept.map(({ id }) => id).sort()).toEqual([tableId, ...ids.slice(1)].sort());
  });

  test("that is none is refused with a sentence", async () => {
    const content = Buffer.from("просто текст без столбцов").toString("base64");
    const refused = await ann.post("/api/tools/tables", { twinId, name: "a.csv", content });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "tool_table_unreadable"]);
    // What is taken here is less than what the reader of documents takes.
    const broken = await ann.post("/api/tools/tables", { twinId, name: "a.xlsx", content });
    expect([broken.statusCode, broken.json().message]).toEqual([
      422,
      "Файл не\u00a0читается как таблица. Нужен CSV или xlsx",
    ]);
  });

  test("shows in a trial what the owner has chosen, and that a wrong proof would give nothing", async () => {
    const tool = await addOrders(ann, twinId);
    const right = await trialOf(ann, tool.id, { key: "1042", proof1: "6789" });
    expect(right.call).toMatchObject({
      outcome: "done",
      result: [
        { label: "Статус", value: "Собран, ждёт курьера" },
        { label: "Доставка", value: "3 декабря с 10 до 14" },
      ],
    });
    expect(JSON.stringify(right)).not.toContain("скидка");
    expect((await trialOf(ann, tool.id, { key: "1042", proof1: "0000" })).call.outcome).toBe("unproven");
    expect((await trialOf(ann, tool.id, { key: "№ 77-12", proof1: "2233" })).call.outcome).toBe("done");
    expect((await trialOf(ann, tool.id, { key: "9999", proof1: "6789" })).call).toMatchObject({
      outcome: "unproven",
      result: [],
    });
  });

  test("at an address is read again when it is no longer fresh, and an address that fails keeps the copy", async () => {
    shop.answers.set("/orders.csv", { text: "Номер,Статус\n1,Новый\n", headers: { "content-type": "text/csv" } });
    const read = await ann.post("/api/tools/tables", { twinId, url: `${shop.origin}/orders.csv` });
    expect(read.statusCode, read.body).toBe(201);
    const tool = await addTool(
      ann,
      twinId,
      ordersTool(read.json().id, {
        proof: { everybody: true, channelPhone: null, asked: [] },
        settings: { kind: "table", tableId: read.json().id, keyColumn: "Номер", shown: ["Статус"] },
      }),
    );
    const statusNow = async () => (await trialOf(ann, tool.id, { key: "1" })).call.result[0]?.value;
    const age = (minutes: number) =>
      asTenant(t.services.db, ann.caller, (tx) =>
        tx.update(toolTables).set({ readAt: new Date(Date.now() - minutes * 60_000) }),
      );
    shop.answers.set("/orders.csv", { text: "Номер,Статус\n1,Отправлен\n" });
    expect(await statusNow()).toBe("Новый");
    await age(11);
    expect(await statusNow()).toBe("Отправлен");
    shop.answers.set("/orders.csv", { status: 500, text: "" });
    await age(11);
    expect(await statusNow()).toBe("Отправлен");
    const [listed] = (await ann.get("/api/tools")).json<Tool[]>();
    expect(listed!.settings).toMatchObject({ table: { failure: "Адрес таблицы ответил ошибкой 500" } });
    await age(7 * 60);
    expect((await trialOf(ann, tool.id, { key: "1" })).call.outcome).toBe("failed");
  });
});

describe("a call over HTTP", () => {
  test("fills its address, sends its secrets, and shows the chosen place of the answer", async () => {
    shop.answers.set("/orders/1042", { json: { order: { status: "в пути", phone: "89123456789", cost: 100 } } });
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin));
    const trial = await trialOf(ann, tool.id, { order_id: "1042", proof1: "+7 912 345-67-89" });
    expect(trial).toMatchObject({
      status: 200,
      request: { method: "GET", url: `${shop.origin}/orders/1042`, body: null },
      call: { outcome: "done", result: [{ label: "Статус", value: "в пути" }] },
    });
    expect(shop.requests[0]?.headers["x-key"]).toBe("s3cret-of-the-shop");
    expect((await trialOf(ann, tool.id, { order_id: "1042", proof1: "89990000000" })).call.outcome).toBe("unproven");
  });

  test.each([
    ["a path of its own", { order_id: "../admin" }, "/orders/..%2Fadmin"],
    ["a query of its own", { order_id: "1?all=1" }, "/orders/1%3Fall%3D1"],
  ])("escapes %s", async (_, values, path) => {
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin));
    await trialOf(ann, tool.id, values);
    expect(shop.requests.map((each) => each.path)).toEqual([path]);
  });

  test("leads nowhere by dots", async () => {
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin));
    const answer = await tryIt(ann, tool.id, { order_id: ".." });
    expect(answer.statusCode).toBe(400);
    expect(shop.requests).toEqual([]);
  });

  test("that changes something is only shown, unless it is really wanted, and then it is in the ledger", async () => {
    shop.answers.set("/bookings", { json: { number: "B-7" } });
    const tool = await addTool(ann, twinId, bookingTool(shop.origin));
    const sample = { date: "2026-12-04", time: "15:00" };
    const shown = await trialOf(ann, tool.id, sample);
    expect(shown).toMatchObject({ call: { outcome: "dry" }, request: { body: JSON.stringify(sample) }, status: null });
    expect(shop.requests).toEqual([]);
    const made = await trialOf(ann, tool.id, sample, true);
    expect(made.call).toMatchObject({ outcome: "done", result: [{ label: "Номер записи", value: "B-7" }] });
    expect(shop.requests).toHaveLength(1);
    expect(shop.requests[0]!.headers["idempotency-key"]).toBe(made.call.actId);
    expect((await ann.get("/api/acts")).json()).toMatchObject([{ id: made.call.actId, state: "done", changes: true }]);
  });

  test("redirects nowhere, has a bounded answer, and is tried again only where the owner says so", async () => {
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin));
    const noteOf = async () => (await trialOf(ann, tool.id, { order_id: "1" })).call.note;
    shop.answers.set("/orders/1", { status: 302, headers: { location: "http://127.0.0.1:1/" }, text: "" });
    expect(await noteOf()).toContain("перенаправляет");
    shop.answers.set("/orders/1", { text: "x".repeat(70_000) });
    expect(await noteOf()).toContain("64 КБ");
    shop.requests.length = 0;
    shop.answers.set("/orders/1", { status: 503, text: "" });
    expect(await noteOf()).toContain("503");
    expect(shop.requests).toHaveLength(2);
    const { settings, ...rest } = orderApiTool(shop.origin, { idempotent: false });
    await ann.put(`/api/tools/${tool.id}`, { ...rest, settings });
    await noteOf();
    expect(shop.requests).toHaveLength(3);
  });
});

describe("settings", () => {
  test("keep the secret of a header that is not typed again, and show it nowhere", async () => {
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin));
    const { settings, ...rest } = orderApiTool(shop.origin);
    const changed = await ann.put(`/api/tools/${tool.id}`, {
      ...rest,
      settings: { ...settings, headers: [{ name: "x-key" }] },
    });
    expect(changed.statusCode, changed.body).toBe(200);
    await trialOf(ann, tool.id, { order_id: "1" });
    expect(shop.requests.at(-1)?.headers["x-key"]).toBe("s3cret-of-the-shop");
    const [row] = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(tools));
    expect(JSON.stringify({ ...row, headers: row!.headers?.toString("latin1") })).not.toContain("s3cret");
    expect((await ann.get("/api/tools")).body).not.toContain("s3cret");
    // Another host must not get it.
    const moved = { ...settings, url: "https://example.com/orders/{order_id}", headers: [{ name: "x-key" }] };
    expect((await ann.put(`/api/tools/${tool.id}`, { ...rest, settings: moved })).statusCode).toBe(400);
    const log = await t.services.db.select().from(auditLog);
    expect(log.map(({ action }) => action)).toContain("tool-changed");
    expect(JSON.stringify(log)).not.toContain("s3cret");
  });

  test("a header whose key was skipped is stored as missing, and nothing is switched on without it", async () => {
    const input = orderApiTool(shop.origin, { headers: [{ name: "x-key", missing: true }] });
    expect((await ann.post("/api/tools", { twinId, tool: input })).json()).toMatchObject({
      fields: { "tool.settings.headers.0.value": "Введите значение" },
    });
    const tool = await addTool(ann, twinId, { ...input, enabled: false });
    expect(tool).toMatchObject({ enabled: false, settings: { headers: [{ name: "x-key", missing: true }] } });
    const headers = [{ name: "x-key", value: "entered" }];
    const finished = await ann.put(`/api/tools/${tool.id}`, orderApiTool(shop.origin, { headers }));
    expect(finished.json()).toMatchObject({ enabled: true, settings: { headers: [{ name: "x-key" }] } });
    expect(finished.body).not.toContain("missing");
    await trialOf(ann, tool.id, { order_id: "1" });
    expect(shop.requests.at(-1)?.headers["x-key"]).toBe("entered");
  });

  test.each([
    ["a call that changes something without the owner", { changes: true, degree: "itself" }],
    ["a read without a proof", { proof: { everybody: false, channelPhone: null, asked: [] } }],
  ])("refuse %s", async (_, more) => {
    const refused = await ann.post("/api/tools", { twinId, tool: { ...orderApiTool(shop.origin), ...more } });
    expect(refused.statusCode).toBe(400);
  });

  test.each([
    ["an address in the private network", { url: "https://192.168.1.1/x/{order_id}" }],
    ["plain http", { url: "http://example.com/{order_id}" }],
    ["a field in the host", { url: "https://{order_id}.example.com/" }],
    ["a field that does not exist", { url: "https://example.com/{other}" }],
    ["a header of the server", { headers: [{ name: "Host", value: "x" }] }],
    ["a line break in a header", { headers: [{ name: "X-A", value: "a\r\nHost: b" }] }],
  ])("refuse %s", async (_, more) => {
    const tool = orderApiTool(shop.origin, more);
    expect((await ann.post("/api/tools", { twinId, tool })).statusCode).toBe(400);
  });

  test("are of one's own twins: a stranger finds nothing, a colleague may not, and a table belongs to its twin", async () => {
    const tool = await addOrders(ann, twinId);
    const stranger = await t.signUp();
    const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    const { id: tableId } = await readOrders(ann, twinId);
    for (const [client, status] of [
      [stranger, 404],
      [colleague, 403],
    ] as const) {
      expect((await tryIt(client, tool.id, { key: "1042" })).statusCode).toBe(status);
      expect((await client.put(`/api/tools/${tool.id}`, ordersTool(tableId))).statusCode).toBe(status);
      expect((await client.delete(`/api/tools/${tool.id}`)).statusCode).toBe(status);
      expect((await client.get("/api/tools")).json()).toEqual([]);
    }
    const theirs = await buildTwin(stranger);
    expect((await stranger.post("/api/tools", { twinId: theirs, tool: ordersTool(tableId) })).statusCode).toBe(404);
    expect((await ann.delete(`/api/tools/${randomUUID()}`)).json()).toMatchObject({ code: "tool_not_found" });
    expect((await ann.delete(`/api/tools/${tool.id}`)).statusCode).toBe(204);
    expect((await ann.get("/api/tools")).json()).toEqual([]);
  });
});
