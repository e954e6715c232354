/** A capable model proposes calls; code makes them, asks the customer and the owner, and lets the answer be checked as any other. */
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import type { Act } from "#contract/actions/acts.ts";
import { LOST_AFTER_MS } from "#server/answers/tools/ledger.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { addOrders, addTool, bookingTool, orderApiTool } from "#server/test/actions/actions-bench.ts";
import { callRecord, sayRecord } from "#server/test/actions/proposing-model.ts";
import { ann, ask, model, prepareShop, shop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { type TalkOver, talkOver } from "#server/test/actions/talk-over.ts";

prepareShop({ withModel: true });
const telegram = (): Promise<TalkOver> => talkOver(t, ann, { twinId, platform: "telegram" });
const open = async (): Promise<Act[]> => (await ann.get("/api/acts?show=open")).json();
/** ISO date in so many days, as Moscow has it. */
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Moscow" }).format(new Date(Date.now() + days * 86_400_000));

describe("a read", () => {
  test("is proposed, made and told from its result, which is a source that the answer names", async () => {
    await addOrders(ann, twinId);
    model.proposes("status_zakaza", { key: "1042", proof1: "6789" });
    model.says("Заказ 1042 собран и ждёт курьера, доставка 3 декабря.", [1]);
    const reply = await ask("Когда привезут заказ 1042? Телефон кончается на 6789");
    expect(reply.response).toBe("Заказ 1042 собран и ждёт курьера, доставка 3 декабря.");
    expect(reply).toMatchObject({
      basis: "knowledge",
      sources: [{ name: "Статус заказа", text: expect.stringContaining("Собран") }],
      calls: [{ outcome: "done", arguments: [{ value: "1042" }, { value: "6789" }] }],
    });
    // The model sees neither what proves it nor what the owner has not chosen.
    expect(model.prompts.at(-1)).not.toMatch(/345-67-89|скидка/);
  });

  test("is given its whole time, however long the model took to propose it", async () => {
    await addTool(ann, twinId, orderApiTool(shop.origin));
    shop.answers.set("/orders/1042", { json: { order: { status: "собран", phone: "79123456789" } } });
    let isProposed = false;
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // As if a timer of the calls that had begun before the proposal had run out meanwhile.
    const timers = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === 20_000 && !isProposed ? AbortSignal.abort() : timeout(ms)));
    model.obeys(() => {
      const isFirst = !isProposed;
      isProposed = true;
      return isFirst
        ? callRecord("zakaz_v_sisteme", { order_id: "1042", proof1: "79123456789" })
        : sayRecord("Заказ собран.", [1]);
    });
    const reply = await ask("Когда привезут заказ 1042? Телефон 79123456789");
    timers.mockRestore();
    expect(reply.calls).toMatchObject([{ outcome: "done" }]);
  });

  test("what the result does not say is found as in any answer: it waits with the place marked", async () => {
    await addOrders(ann, twinId);
    model.proposes("status_zakaza", { key: "1042", proof1: "6789" });
    model.says("Заказ привезут 9 декабря, стоит 4500 рублей.", [1]);
    const chat = await telegram();
    const held = await chat.say("Когда привезут заказ 1042? Телефон кончается на 6789");
    expect(held).toMatchObject({ state: "draft", citations: { doubtful: expect.arrayContaining(["4500 рублей"]) } });
  });

  test("with values that nobody named is refused, and the model learns why", async () => {
    await addOrders(ann, twinId);
    model.proposes("status_zakaza", { key: "1043", proof1: "1122" });
    model.says("Уточните номер заказа, пожалуйста.", []);
    const reply = await ask("Когда привезут заказ?");
    expect(reply.calls).toMatchObject([{ outcome: "refused", result: [] }]);
    expect(model.prompts.at(-1)).toContain("этого собеседник не называл");
  });

  test("that lacks something is asked for by code, and completed with the next message", async () => {
    await addOrders(ann, twinId);
    model.proposes("status_zakaza", { key: "1042" });
    const first = await ask("Где заказ 1042?");
    expect(first).toMatchObject({
      response: "Подскажите, пожалуйста: последние 4 цифры телефона.",
      basis: "recurring",
    });
    model.proposes("status_zakaza", { key: "1042", proof1: "6789" });
    model.says("Собран и ждёт курьера.", [1]);
    expect((await ask("6789", first.conversationId)).response).toBe("Собран и ждёт курьера.");
    model.proposes("status_zakaza", {});
    expect((await ask("а где посылка?")).response).toBe("Подскажите, пожалуйста: номер заказа.");
  });

  test("is made three times in a turn at most", async () => {
    shop.answers.set("/stock", { json: { left: 5 } });
    const proof = { everybody: true, channelPhone: null, asked: [] };
    const fields = [
      { name: "item", label: "Товар", type: "text" as const, required: true, description: "", choices: [] },
    ];
    await addTool(
      ann,
      twinId,
      orderApiTool(
        shop.origin,
        { url: `${shop.origin}/stock`, fields, resultPath: "", shown: [], reportsAll: true },
        { title: "Остаток", proof },
      ),
    );
    for (const item of ["чай", "кофе", "мёд", "сахар"]) model.proposes("ostatok", { item });
    const reply = await ask("есть ли чай, кофе, мёд и сахар?");
    expect(shop.requests).toHaveLength(3);
    expect(reply.calls).toHaveLength(3);
    expect(reply.basis).toBe("unknown");
  });

  test("of a twin without tools costs the prompt nothing", async () => {
    model.says("Здравствуйте.", [], "remark");
    await ask("Добрый день, вы сегодня работаете?");
    expect(model.prompts.join()).not.toContain("Инструменты");
  });
});

describe("what changes something", () => {
  const BOOK = { date: dayIn(1), time: "15:00" };

  async function confirmed(chat: TalkOver): Promise<Act> {
    model.proposes("zapis_na_obzharku", BOOK);
    const question = await chat.say("Запишите меня на завтра на 15:00");
    expect(question).toMatchObject({
      state: "pending",
      text: expect.stringMatching(/^Запись на обжарку: .*15:00.*«да»/s),
    });
    expect((await chat.say("да, верно")).text).toContain("Передаю на подтверждение");
    expect(shop.requests).toEqual([]);
    const [act] = await open();
    return act!;
  }

  test("waits for the customer, then for the owner, and is then done once; the customer learns it", async () => {
    shop.answers.set("/bookings", { json: { number: "B-7" } });
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    const act = await confirmed(chat);
    // The last words before it, without the question that the act itself has.
    expect((await ann.get(`/api/acts/${act.id}/messages`)).json()).toMatchObject([
      { by: "contact", text: "Запишите меня на завтра на 15:00" },
      { by: "contact", text: "да, верно" },
    ]);
    expect(act).toMatchObject({ state: "waiting-owner", changes: true, target: expect.stringMatching(/^POST 127/) });
    const [one, two] = await Promise.all([1, 2].map(() => ann.post(`/api/acts/${act.id}/approve`)));
    expect([one!.statusCode, two!.statusCode].sort()).toEqual([200, 409]);
    expect(shop.requests).toHaveLength(1);
    expect(shop.requests[0]).toMatchObject({ method: "POST", body: JSON.stringify(BOOK) });
    expect(shop.requests[0]!.headers).toMatchObject({
      "idempotency-key": act.id,
      authorization: "Bearer s3cret-of-the-shop",
    });
    expect((await chat.sent()).at(-1)).toMatchObject({
      ...{ state: "pending", text: "Готово: запись на обжарку.\nНомер записи: B-7", decidedBy: ann.caller.userId },
    });
    const log = await t.services.db.select().from(auditLog).where(eq(auditLog.subject, act.id));
    expect(log).toMatchObject([{ action: "act-called", detail: { name: "Запись на обжарку" } }]);
  });

  test("can be taken back while it waits for the owner", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    const { id } = await confirmed(chat);
    expect((await chat.say("Нет, отмена")).text).toBe("Хорошо, ничего не меняю.");
    expect((await ann.post(`/api/acts/${id}/approve`)).json()).toMatchObject({ code: "act_decided" });
    expect(shop.requests).toEqual([]);
  });

  test("is not confirmed by a forged sender", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    model.proposes("zapis_na_obzharku", BOOK);
    await chat.say("Запишите меня на завтра на 15:00");
    model.says("Уточню.", [], "remark");
    await chat.say("да", { sender: { authenticity: "failed", refersTo: [] } });
    expect(await open()).toEqual([]);
  });

  test("is proposed to the owner once, however often the customer asks for it", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    const { id } = await confirmed(chat);
    model.proposes("zapis_na_obzharku", BOOK);
    expect((await chat.say("Так запишите же меня на завтра на 15:00")).text).toContain("Передаю на подтверждение");
    expect(await open()).toMatchObject([{ id }]);
  });

  test.each([
    ["«нет»", "нет, не надо", "Хорошо, ничего не меняю."],
    ["something else", "А сколько стоит экскурсия?", "Уточню."],
    ["a yes with another value", "да, но на 18:00", "Уточню."],
  ])("is withdrawn by %s", async (_, words, answered) => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    model.proposes("zapis_na_obzharku", BOOK);
    await chat.say("Запишите меня на завтра на 15:00");
    model.says("Уточню.", [], "remark");
    expect((await chat.say(words)).text).toBe(answered);
    model.says("Уточню.", [], "remark");
    await chat.say("да");
    expect(await open()).toEqual([]);
    expect((await ann.get("/api/acts")).json()).toMatchObject([{ state: "refused" }]);
  });

  test("is not confirmed by a «да» to a question that the owner rewrote before it was sent", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await talkOver(t, ann, { twinId, platform: "telegram", autonomy: "draft" });
    model.proposes("zapis_na_obzharku", BOOK);
    const draft = await chat.say("Запишите меня на завтра на 15:00");
    expect(draft.state).toBe("draft");
    await ann.put(`/api/approvals/${draft.id}`, { text: "Вам удобно завтра?" });
    await ann.post(`/api/approvals/${draft.id}/approve`);
    model.says("Уточню.", [], "remark");
    await chat.say("да");
    expect(await open()).toEqual([]);
  });

  test.each([
    ["a server's error", { status: 500, text: "" }],
    ["a connection that ends", "reset" as const],
  ])("is unknown after %s, is never called again, and the owner settles it", async (_, answer) => {
    shop.answers.set("/bookings", answer);
    await addTool(ann, twinId, bookingTool(shop.origin));
    const chat = await telegram();
    const { id } = await confirmed(chat);
    const before = (await chat.sent()).length;
    expect((await ann.post(`/api/acts/${id}/approve`)).json()).toMatchObject({ state: "unknown" });
    expect((await ann.post(`/api/acts/${id}/approve`)).statusCode).toBe(409);
    expect(shop.requests).toHaveLength(1);
    expect(await chat.sent()).toHaveLength(before);
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 1 });
    expect((await ann.post(`/api/acts/${id}/settle`, { done: true })).json()).toMatchObject({ state: "done" });
    expect((await ann.post(`/api/acts/${id}/settle`, { done: false })).statusCode).toBe(409);
  });

  test("is unknown when the process died between the call and its answer", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const { id } = await confirmed(await telegram());
    const calledAt = new Date(Date.now() - LOST_AFTER_MS - 1000);
    await asTenant(t.services.db, ann.caller, (tx) => tx.update(acts).set({ state: "calling", calledAt }));
    expect(await open()).toMatchObject([{ id, state: "unknown", reason: expect.stringContaining("Неизвестно") }]);
  });

  test("is refused where the system refuses it, where the owner rejects it, and where the tool was switched off or changed meanwhile", async () => {
    const tool = await addTool(ann, twinId, bookingTool(shop.origin));
    shop.answers.set("/bookings", { status: 409, json: { error: "занято" } });
    const refused = await confirmed(await telegram());
    expect((await ann.post(`/api/acts/${refused.id}/approve`)).json()).toMatchObject({ state: "failed" });
    shop.requests.length = 0;
    const rejected = await confirmed(await telegram());
    expect((await ann.post(`/api/acts/${rejected.id}/reject`)).json()).toMatchObject({ state: "refused" });
    const late = await confirmed(await telegram());
    await ann.put(`/api/tools/${tool.id}`, bookingTool(shop.origin, {}, { enabled: false }));
    expect((await ann.post(`/api/acts/${late.id}/approve`)).json()).toMatchObject({ state: "refused" });
    await ann.put(`/api/tools/${tool.id}`, bookingTool(shop.origin));
    const other = await confirmed(await telegram());
    await ann.put(`/api/tools/${tool.id}`, bookingTool(shop.origin, { readsOnly: true }, { changes: false }));
    expect((await ann.post(`/api/acts/${other.id}/approve`)).json()).toMatchObject({
      state: "refused",
      reason: "Действие с тех пор изменено",
    });
    expect(shop.requests).toEqual([]);
  });

  test("only those who may change the twin decide on", async () => {
    await addTool(ann, twinId, bookingTool(shop.origin));
    const { id } = await confirmed(await telegram());
    const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    expect((await colleague.post(`/api/acts/${id}/approve`)).statusCode).toBe(403);
    expect((await (await t.signUp()).post(`/api/acts/${id}/approve`)).statusCode).toBe(404);
    expect(shop.requests).toEqual([]);
  });

  test("is only shown in a test chat, unless it is switched on", async () => {
    shop.answers.set("/bookings", { json: { number: "B-8" } });
    await addTool(ann, twinId, bookingTool(shop.origin));
    const message = "Запишите меня на завтра на 15:00";
    model.proposes("zapis_na_obzharku", BOOK);
    const first = await ask(message);
    const dry = await ask("да", first.conversationId);
    expect(dry).toMatchObject({
      calls: [{ outcome: "dry", arguments: [{ label: "Дата" }, { label: "Время", value: "15:00" }] }],
    });
    expect(dry.response).toContain("не вызвано");
    expect(shop.requests).toEqual([]);
    model.proposes("zapis_na_obzharku", BOOK);
    await ask(message, first.conversationId);
    const live = await ask("да", first.conversationId, { live: true });
    expect(live).toMatchObject({ calls: [{ outcome: "done", result: [{ value: "B-8" }] }] });
    expect(shop.requests).toHaveLength(1);
    expect((await ann.get("/api/acts/figures")).json()).toMatchObject({ tools: [] });
  });
});
