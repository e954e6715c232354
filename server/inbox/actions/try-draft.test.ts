/** A tool is tried before it is saved. */
import { expect, test } from "vitest";
import type { ToolInput } from "#contract/actions/tools.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { tools } from "#server/platform/db/schema/tools.ts";
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
import { startShopServer } from "#server/test/servers/shop-server.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareShop();

interface Draft {
  twinId?: string;
  toolId?: string;
  really?: boolean;
}

const tryDraft = (client: TestClient, tool: ToolInput, given: Record<string, string>, draft: Draft = {}) =>
  client.post("/api/tools/try", {
    ...{ twinId, tool, ...draft },
    arguments: Object.entries(given).map(([name, value]) => ({ name, value })),
  });

test("a table that is not saved yet gives its row, and nothing is stored", async () => {
  const { id } = await readOrders(ann, twinId);
  const tried = await tryDraft(ann, ordersTool(id), { key: "1042", proof1: "6789" });
  expect(tried.json(), tried.body).toMatchObject({
    call: {
      actId: null,
      outcome: "done",
      result: [{ value: "Собран, ждёт курьера" }, { value: "3 декабря с 10 до 14" }],
    },
    request: null,
  });
  expect((await ann.get("/api/tools")).json()).toEqual([]);
});

test("a saved tool is tried with other settings and stays as it is; its secret goes to its own host alone", async () => {
  shop.answers.set("/v2/1042", { json: { state: "в пути" } });
  const saved = await addTool(ann, twinId, orderApiTool(shop.origin));
  const everybody = { proof: { everybody: true, channelPhone: null, asked: [] } };
  const changed = (origin: string) =>
    orderApiTool(
      origin,
      { url: `${origin}/v2/{order_id}`, resultPath: "", shown: [], reportsAll: true, headers: [{ name: "X-Key" }] },
      everybody,
    );
  const tried = await tryDraft(ann, changed(shop.origin), { order_id: "1042" }, { toolId: saved.id });
  expect(tried.json(), tried.body).toMatchObject({
    call: { outcome: "done", result: [{ label: "state", value: "в пути" }] },
    answer: '{"state":"в пути"}',
  });
  expect(shop.requests[0]?.headers["x-key"]).toBe("s3cret-of-the-shop");
  const [row] = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(tools));
  expect(row?.settings).toMatchObject({ url: `${shop.origin}/orders/{order_id}` });

  const elsewhere = await startShopServer();
  const refused = await tryDraft(ann, changed(elsewhere.origin), { order_id: "1042" }, { toolId: saved.id });
  expect([refused.statusCode, refused.json().message]).toEqual([400, "Введите значение заголовка X-Key"]);
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test("what changes something is only shown; called for real it is in the ledger without a tool", async () => {
  shop.answers.set("/bookings", { json: { number: "B-7" } });
  const sample = { date: "2026-12-04", time: "15:00" };
  const shown = await tryDraft(ann, bookingTool(shop.origin), sample);
  expect(shown.json(), shown.body).toMatchObject({ call: { outcome: "dry" }, status: null });
  expect(shop.requests).toEqual([]);
  const made = await tryDraft(ann, bookingTool(shop.origin), sample, { really: true });
  expect(made.json().call).toMatchObject({ outcome: "done", result: [{ label: "Номер записи", value: "B-7" }] });
  expect((await ann.get("/api/acts")).json()).toMatchObject([{ toolId: null, state: "done", conversationId: null }]);
});

test("a stranger's twin, tool or table is not found", async () => {
  const saved = await addOrders(ann, twinId);
  const { id: tableId } = await readOrders(ann, twinId);
  const stranger = await t.signUp();
  const theirs = await buildTwin(stranger);
  const key = { key: "1042" };
  expect((await tryDraft(stranger, ordersTool(tableId), key)).statusCode).toBe(404);
  expect((await tryDraft(stranger, ordersTool(tableId), key, { twinId: theirs })).statusCode).toBe(404);
  expect((await tryDraft(stranger, ordersTool(tableId), key, { twinId: theirs, toolId: saved.id })).statusCode).toBe(
    404,
  );
  const other = await buildTwin(ann);
  expect((await tryDraft(ann, ordersTool(tableId), key, { twinId: other })).statusCode).toBe(404);
  expect((await tryDraft(ann, ordersTool(tableId), key, { twinId: other, toolId: saved.id })).statusCode).toBe(404);
});
