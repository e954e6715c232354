/** Actions of an MCP server are read, proven and made once as any other tool. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { kindOf } from "#server/answers/tools/kind-of.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { tools } from "#server/platform/db/schema/tools.ts";
import { addTool } from "#server/test/actions/actions-bench.ts";
import { bookingAction, connect, mcp, prepareMcp, statusTool, tryTool } from "#server/test/actions/mcp-bench.ts";
import { ann, ask, prepareShop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { textAnswer } from "#server/test/servers/mcp-server.ts";

prepareShop();
prepareMcp();

const ORDER = JSON.stringify({ status: "Собран", phone: "+7 912 345-67-89", note: "скидка" });

describe("an action", () => {
  test("is read, proven and told as any other; what is sent is shown", async () => {
    const { id } = await connect(ann, twinId);
    mcp.answers.set("order_status", textAnswer(ORDER));
    const tool = await addTool(ann, twinId, statusTool(id));
    expect(tool.settings).toMatchObject({ host: expect.stringMatching(/^127/), connection: { title: "Лавка 2.1" } });
    const trial = await tryTool(ann, tool.id, { order_id: "1042", proof1: "89123456789" });
    expect(trial).toMatchObject({
      call: { outcome: "done", result: [{ label: "Статус", value: "Собран" }] },
      request: { method: "MCP", url: expect.stringMatching(/order_status$/), body: '{"order_id":"1042"}' },
      answer: ORDER,
    });
    const wrong = await tryTool(ann, tool.id, { order_id: "1042", proof1: "89000000000" });
    expect(wrong.call).toMatchObject({ outcome: "unproven" });
    const asked = await ask("где мой заказ 1042");
    expect(asked.response).toContain("Подскажите, пожалуйста");
    const told = await ask("+7 912 345-67-89", asked.conversationId);
    expect(told.response).toContain("Статус: Собран");
    // Proofs leave with nobody.
    expect(mcp.calls.at(-1)).toMatchObject({ name: "order_status", arguments: { order_id: "1042" } });
    expect(mcp.calls.at(-1)!.meta).toMatchObject({ "idempotency-key": expect.any(String) });
  });

  test.each(["plain", "json", "sessions"] as const)("is called in each way that servers have: %s", async (way) => {
    mcp.way = way;
    const { id } = await connect(ann, twinId);
    mcp.answers.set("create_booking", textAnswer('{"number":"B-7"}'));
    const tool = await addTool(ann, twinId, bookingAction(id));
    const made = await tryTool(ann, tool.id, { date: "2026-12-24", guests: "4" }, true);
    expect(made.call).toMatchObject({ outcome: "done", result: [{ value: "B-7" }] });
    // A server that knows its visitors learns that this one has left.
    if (way === "sessions") await expect.poll(() => mcp.ended).toBe(2);
  });

  test.each<[string, object, object]>([
    [
      "structured content",
      { content: [], structuredContent: { status: "В пути" } },
      { outcome: "done", result: [{ label: "Статус", value: "В пути" }] },
    ],
    [
      "no JSON",
      textAnswer("в пути") as object,
      { outcome: "failed", note: "Ответ сервера не в том виде, который описан" },
    ],
    [
      "an error",
      { content: [{ type: "text", text: "нет" }], isError: true },
      { outcome: "failed", note: "Сервер ответил, что не получилось" },
    ],
    [
      "too much",
      textAnswer("я".repeat(70_000)) as object,
      { outcome: "failed", note: "Ответ сервера слишком длинный" },
    ],
    [
      "nothing of what is shown",
      textAnswer("{}") as object,
      { outcome: "unproven", note: "Такой записи нет. Проверьте значение." },
    ],
  ])("that answers %s is read so", async (_, answer, outcome) => {
    const { id } = await connect(ann, twinId);
    mcp.answers.set("order_status", answer as never);
    const proof = { everybody: true, channelPhone: null, asked: [] };
    const tool = await addTool(ann, twinId, statusTool(id, {}, { proof }));
    expect((await tryTool(ann, tool.id, { order_id: "1042" })).call).toMatchObject(outcome);
  });

  test("that answers a plain text gives one line", async () => {
    const { id } = await connect(ann, twinId);
    mcp.answers.set("order_status", textAnswer("Заказ\n в  пути"));
    const proof = { everybody: true, channelPhone: null, asked: [] };
    const tool = await addTool(ann, twinId, statusTool(id, { shown: [], reportsAll: true }, { proof }));
    expect((await tryTool(ann, tool.id, { order_id: "1" })).call.result).toEqual([
      { label: "Ответ", value: "Заказ в пути" },
    ]);
  });

  test("that changes something is only shown, then made once, with values of their types", async () => {
    const { id } = await connect(ann, twinId);
    mcp.answers.set("create_booking", textAnswer('{"number":"B-7"}'));
    const tool = await addTool(ann, twinId, bookingAction(id));
    const values = { date: "2026-12-24", guests: "4", children: "да" };
    expect((await tryTool(ann, tool.id, values)).call.outcome).toBe("dry");
    expect(mcp.calls).toEqual([]);
    const made = await tryTool(ann, tool.id, values, true);
    expect(made.call).toMatchObject({ outcome: "done", result: [{ value: "B-7" }] });
    const expected = { date: "2026-12-24", guests: 4, children: true };
    expect(mcp.calls).toMatchObject([{ arguments: expected, meta: { "idempotency-key": made.call.actId } }]);
    expect((await ann.get("/api/acts")).json()).toMatchObject([
      { target: expect.stringMatching(/^MCP .*create_booking$/) },
    ]);
  });

  test.each<[string, () => void, string]>([
    ["loses the connection", () => mcp.answers.set("create_booking", "reset"), "unknown"],
    ["says that it failed", () => mcp.answers.set("create_booking", { content: [], isError: true }), "failed"],
    ["answers too much", () => mcp.answers.set("create_booking", textAnswer("я".repeat(70_000))), "unknown"],
  ])("that changes something and %s is called once", async (_, prepare, outcome) => {
    const { id } = await connect(ann, twinId);
    const tool = await addTool(ann, twinId, bookingAction(id));
    prepare();
    const made = await tryTool(ann, tool.id, { date: "2026-12-24", guests: "4" }, true);
    expect(made.call.outcome).toBe(outcome);
    expect(mcp.calls).toHaveLength(1);
    expect((await ann.get("/api/acts")).json()).toMatchObject([{ state: outcome }]);
  });

  test.each([
    [statusTool, { order_id: "1042" }, "failed"],
    [bookingAction, { date: "2026-12-24", guests: "4" }, "unknown"],
  ] as const)(
    "that is not answered in time: a read has failed, of a change nobody knows (%#)",
    async (make, given, kind) => {
      const { id } = await connect(ann, twinId);
      const { id: toolId } = await addTool(ann, twinId, make(id));
      for (const name of ["order_status", "create_booking"]) mcp.answers.set(name, "hang");
      const [tool] = await asTenant(t.services.db, ann.caller, (tx) =>
        tx.select().from(tools).where(eq(tools.id, toolId)),
      );
      const values = Object.entries(given).map(([name, value]) => ({ name, label: name, value }));
      const order = { values, idempotencyKey: null, signal: AbortSignal.timeout(300) };
      const outcome = await kindOf(tool!.settings).call(t.services, ann.caller, tool!, order);
      expect(outcome).toMatchObject({ kind, reason: "Сервер не ответил вовремя" });
      expect(mcp.calls).toHaveLength(1);
    },
  );

  test("cannot ask anything back while it is called", async () => {
    const { id } = await connect(ann, twinId);
    mcp.answers.set("create_booking", textAnswer("{}"));
    const tool = await addTool(ann, twinId, bookingAction(id));
    for (const method of ["sampling/createMessage", "elicitation/create", "roots/list"]) {
      mcp.asksBack = method;
      await tryTool(ann, tool.id, { date: "2026-12-24", guests: "4" }, true);
    }
    expect(mcp.askedBack).toHaveLength(3);
    for (const said of mcp.askedBack) expect(said).toMatch(/not support|Method not found|timed out/i);
  });

  test.each([
    ["of another twin", (id: string) => ({ connectionId: id === "" ? "" : randomUUID() }), 404],
    ["that the server does not offer", () => ({ name: "drop_table" }), 400],
    ["whose required fields are no plain values", () => ({ name: "import_rows", fields: [] }), 400],
    ["without a required field", () => ({ fields: [] }), 400],
    ["with a field of its own", () => ({ fields: [field("order_id"), field("admin")] }), 400],
    ["with a value of another type", () => ({ name: "create_booking", fields: [field("date"), field("guests")] }), 400],
  ])("%s is not taken", async (_, change, status) => {
    const { id } = await connect(ann, twinId);
    const answer = await ann.post("/api/tools", { twinId, tool: statusTool(id, change(id) as object) });
    expect(answer.statusCode, answer.body).toBe(status);
  });
});

const field = (name: string) => ({
  ...{ name, label: name, type: "text" as const, required: true, description: "", choices: [] },
});
