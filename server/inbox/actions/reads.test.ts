/** What a call that only reads may be, what it tells, and what its owner learns when it fails. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Act } from "#contract/actions/acts.ts";
import type { Tool, ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import { runRead } from "#server/answers/tools/run-acts.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { type ToolRow, tools } from "#server/platform/db/schema/tools.ts";
import { addTool, bookingTool, orderApiTool } from "#server/test/actions/actions-bench.ts";
import { ann, ask, prepareShop, shop, t, twinId } from "#server/test/actions/shop-bench.ts";

prepareShop();

const everybody = { everybody: true, channelPhone: null, asked: [] };
type Http = Extract<ToolInput["settings"], { kind: "http" }>;
const search = (more: Partial<Http> = {}, rest: Partial<ToolInput> = {}): ToolInput =>
  orderApiTool(shop.origin, { method: "POST", url: `${shop.origin}/search`, ...more }, { proof: everybody, ...rest });
const save = (tool: ToolInput) => ann.post("/api/tools", { twinId, tool });
const trialOf = async (id: string, order: string): Promise<ToolTrial> => {
  const tried = await ann.post(`/api/tools/${id}/try`, { arguments: [{ name: "order_id", value: order }] });
  expect(tried.statusCode, tried.body).toBe(200);
  return tried.json();
};

describe("a method other than GET", () => {
  test("is a change unless the owner says of a POST that it only reads; others never read", async () => {
    const said = "Отметьте, что вызов что-то меняет или что он только читает";
    const refused = await save(search());
    expect([refused.statusCode, refused.json().fields]).toMatchObject([400, { "tool.settings.readsOnly": said }]);
    for (const method of ["PUT", "PATCH", "DELETE"] as const)
      for (const more of [{}, { readsOnly: true }]) {
        const { json, statusCode } = await save(search({ method, ...more }));
        expect([statusCode, json().fields["tool.changes"]]).toEqual([400, expect.stringContaining(method)]);
      }
    const both = await save(search({ readsOnly: true }, { changes: true, degree: "asks" }));
    expect(both.json().fields).toMatchObject({
      "tool.settings.readsOnly": "Вызов или только читает, или что-то меняет",
    });
    expect((await save(search({}, { changes: true, degree: "asks" }))).statusCode).toBe(201);
  });

  test("is not sent by a trial of a draft that does not say it; a search by POST is", async () => {
    shop.answers.set("/search", { json: { order: { status: "в пути" } } });
    const sample = { arguments: [{ name: "order_id", value: "1042" }] };
    expect((await ann.post("/api/tools/try", { twinId, tool: search(), ...sample })).statusCode).toBe(400);
    expect(shop.requests).toEqual([]);
    const tool = await addTool(ann, twinId, search({ readsOnly: true }));
    expect((await trialOf(tool.id, "1042")).call).toMatchObject({ outcome: "done", result: [{ value: "в пути" }] });
    expect((await ask("где мой заказ 1042?")).response).toContain("в пути");
  });

  test("that was stored as a read before this was asked is off and sends nothing until its owner answers", async () => {
    const tool = await addTool(ann, twinId, search({ readsOnly: true }));
    const { readsOnly: _, ...settings } = search().settings as Http;
    const stored = { ...settings, headers: settings.headers.map(({ name }) => ({ name })) };
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.update(tools).set({ settings: stored }).where(eq(tools.id, tool.id)),
    );
    const [listed] = (await ann.get("/api/tools")).json<Tool[]>();
    expect(listed).toMatchObject({ enabled: false, offReason: expect.stringContaining("только читает") });
    expect((await trialOf(tool.id, "1042")).call).toMatchObject({ outcome: "dry" });
    expect((await ask("где мой заказ 1042?")).calls).toBeUndefined();
    expect([shop.requests, (await ann.get("/api/acts")).json<Act[]>()]).toEqual([[], []]);
    const confirmed = await ann.put(`/api/tools/${tool.id}`, search({ readsOnly: true, headers: [{ name: "X-Key" }] }));
    expect(confirmed.json()).toMatchObject({ enabled: true, offReason: null });
  });
});

test("a tool that is changed or switched off during the turn is called as it stands then, or not at all", async () => {
  shop.answers.set("/orders/1042", { json: { order: { status: "в пути" } } });
  shop.answers.set("/v2/orders/1042", { json: { order: { status: "собран" } } });
  const { id } = await addTool(ann, twinId, orderApiTool(shop.origin, {}, { proof: everybody }));
  const load = () => asTenant(t.services.db, ann.caller, (tx) => tx.select().from(tools).where(eq(tools.id, id)));
  const read = async (seen: ToolRow) => {
    const asker = { conversationId: null, contactId: null, phone: null };
    const values = [{ name: "order_id", label: "Номер заказа", value: "1042" }];
    const signal = AbortSignal.timeout(10_000);
    return runRead(t.services, ann.caller, seen, { values, asker, from: null, dry: false, signal });
  };
  const [seen] = await load();
  const moved = orderApiTool(
    shop.origin,
    { url: `${shop.origin}/v2/orders/{order_id}`, headers: [{ name: "X-Key" }] },
    { proof: everybody },
  );
  await ann.put(`/api/tools/${id}`, moved);
  expect(await read(seen!)).toMatchObject({ kind: "done", result: [{ value: "собран" }] });
  const [now] = await load();
  await ann.put(`/api/tools/${id}`, { ...moved, enabled: false });
  expect(await read(now!)).toEqual({ kind: "gone" });
  expect(shop.requests.map(({ path }) => path)).toEqual(["/v2/orders/1042"]);
});

describe("a trial that fails", () => {
  test.each([
    [
      { status: 404, text: "" },
      "unproven",
      "Адрес ответил 404: такой страницы или записи нет. Проверьте адрес и значение.",
    ],
    [{ status: 401, text: "" }, "failed", "Адрес ответил 401: доступа нет. Проверьте ключи и заголовки."],
    [
      { status: 422, text: "no" },
      "failed",
      "Адрес ответил 422: запрос не принят. Посмотрите его ответ, проверьте метод, поля и значения.",
    ],
    [
      { status: 503, text: "" },
      "failed",
      "Адрес ответил ошибкой 503. Попробуйте позже или посмотрите, что не так, в своей системе.",
    ],
    [
      { json: {} },
      "unproven",
      "Адрес ответил, но там, где вы выбрали результат, ничего нет. Проверьте значение и место результата.",
    ],
  ])("says what happened and what to do: %j", async (answer, outcome, note) => {
    shop.answers.set("/orders/1042", answer);
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin, {}, { proof: everybody }));
    expect((await trialOf(tool.id, "1042")).call).toMatchObject({ outcome, note, result: [] });
  });

  test("says that there is no connection", async () => {
    const url = "http://127.0.0.1:1/orders/{order_id}";
    const tool = await addTool(ann, twinId, orderApiTool(shop.origin, { url }, { proof: everybody }));
    const said = "Система не отвечает: соединения нет. Проверьте адрес и настройки и попробуйте ещё раз.";
    expect((await trialOf(tool.id, "1042")).call).toMatchObject({ outcome: "failed", note: said });
  });
});

test("the card of a read shows its address with the places of its values", async () => {
  shop.answers.set("/orders/1042", { json: { order: { status: "в пути" } } });
  await addTool(ann, twinId, orderApiTool(shop.origin, {}, { proof: everybody }));
  await ask("где мой заказ 1042?");
  const [act] = (await ann.get("/api/acts")).json<Act[]>();
  const { host } = new URL(shop.origin);
  expect(act).toMatchObject({ target: `GET ${host}/orders/{order_id}`, arguments: [{ value: "1042" }] });
});

describe("of an answer in which nothing is chosen", () => {
  const answer = { json: { order: { status: "в пути", phone: "+7 912 345-67-89" } } };
  const unchosen = (more: Partial<Http> = {}, rest: Partial<ToolInput> = {}) =>
    orderApiTool(shop.origin, { shown: [], ...more }, { proof: everybody, ...rest });

  test("nothing is reported: a read is not switched on before something is chosen, unless all is wanted", async () => {
    shop.answers.set("/orders/1042", answer);
    const refused = await save(unchosen());
    const said = "Выберите в ответе, что сообщать, или отметьте «Сообщать всё»";
    expect([refused.statusCode, refused.json().fields]).toEqual([400, { "tool.settings.shown": said }]);
    const off = await addTool(ann, twinId, unchosen({}, { enabled: false }));
    expect((await ann.put(`/api/tools/${off.id}`, unchosen())).statusCode).toBe(400);
    const all = await ann.put(`/api/tools/${off.id}`, unchosen({ reportsAll: true }));
    expect(all.json()).toMatchObject({ enabled: true, settings: { reportsAll: true } });
    expect((await ask("где мой заказ 1042?")).response).toContain("+7 912 345-67-89");
  });

  test("a chosen value is reported alone, and one that was on before keeps working", async () => {
    shop.answers.set("/orders/1042", answer);
    const tool = await addTool(ann, twinId, unchosen({ shown: [{ path: "status", label: "Статус" }] }));
    expect((await ask("где мой заказ 1042?")).response).toBe("Номер заказа 1042.\nСтатус: в пути");
    const before = { ...tool.settings, shown: [] } as never;
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.update(tools).set({ settings: before }).where(eq(tools.id, tool.id)),
    );
    expect((await ask("где мой заказ 1042?")).response).toContain("status: в пути");
  });

  test("a change tells the customer only that it is done", async () => {
    shop.answers.set("/bookings", { json: { id: 7, phone: "+7 912 345-67-89" } });
    await addTool(ann, twinId, bookingTool(shop.origin, { fields: [], shown: [] }, { examples: ["запишите меня"] }));
    const asked = await ask("запишите меня", undefined, { live: true });
    const { response, calls } = await ask("да", asked.conversationId, { live: true });
    expect(response).toBe("Готово: запись на обжарку.");
    expect(calls).toMatchObject([{ outcome: "done", result: [{ value: "7" }, { value: "+7 912 345-67-89" }] }]);
  });
});
