/** A twin without a model finds what a customer asks for by the owner's examples, and only for the one whom it concerns. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Act, ActFigures } from "#contract/actions/acts.ts";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ChatMessage, Reply } from "#contract/conversations/conversations.ts";
import { ATTEMPTS } from "#server/answers/tools/ledger.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { addOrders, addTool, bookingTool, orderApiTool } from "#server/test/actions/actions-bench.ts";
import { ann, ask, prepareShop, shop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { type TalkOver, talkOver } from "#server/test/actions/talk-over.ts";

prepareShop();

const telegram = (name?: string): Promise<TalkOver> => talkOver(t, ann, { twinId, platform: "telegram", name });
const actsNow = async (): Promise<Act[]> => (await ann.get("/api/acts")).json();

describe("in a test chat", () => {
  test("the order is shown after its proof, with the call beside the answer and in the transcript", async () => {
    await addOrders(ann, twinId);
    const first = await ask("Где мой заказ 1042?");
    expect(first.response).toBe("Подскажите, пожалуйста: последние 4 цифры телефона.");
    expect(first.calls).toMatchObject([{ outcome: "proof", arguments: [{ label: "Номер заказа", value: "1042" }] }]);
    const second = await ask("6789", first.conversationId);
    expect(second.response).toBe("Номер заказа 1042.\nСтатус: Собран, ждёт курьера\nДоставка: 3 декабря с 10 до 14");
    expect([first.scripted, second.scripted]).toEqual([true, true]);
    expect(second).toMatchObject({
      basis: "knowledge",
      sources: [{ name: "Статус заказа" }],
      calls: [{ title: "Статус заказа", outcome: "done", result: [{ label: "Статус" }, { label: "Доставка" }] }],
    });
    const lines = (await ann.get(`/api/conversations/${first.conversationId}/messages`)).json<ChatMessage[]>();
    expect(lines.at(-1)?.calls).toEqual(second.calls);
    expect(await actsNow()).toMatchObject([{ state: "done", platform: "test", conversationId: first.conversationId }]);
  });

  test("everything in one message is answered at once, in other words of the same meaning", async () => {
    await addOrders(ann, twinId);
    const { response } = await ask("Здравствуйте! подскажите, где сейчас мой заказ №1043, телефон 8 921 000 11 22");
    expect(response).toContain("Статус: В пути");
  });

  test.each([
    "Где ваш магазин?",
    "Сколько стоит доставка заказа на 1042 рубля?",
    "Расскажите, где делают чай, в каком году построили завод, мой дед работал там с 1042 смены и знал заказ наизусть, а потом уехал в горы",
  ])("another question reaches no system: «%s»", async (message) => {
    await addOrders(ann, twinId);
    const { calls } = await ask(message);
    expect(calls).toBeUndefined();
  });

  test("a colleague who may only read the twin gets nothing from its owner's systems", async () => {
    await addOrders(ann, twinId);
    const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    const asked = { twinId, message: "Где мой заказ 1042, телефон +7 912 345-67-89?" };
    const { response, calls } = (await colleague.post("/api/ai-generate", asked)).json<Reply>();
    expect([response.includes("Собран"), calls]).toEqual([false, undefined]);
  });
});

describe("in a channel", () => {
  test("the answer is sent, and another contact who names the same order learns nothing", async () => {
    await addOrders(ann, twinId);
    const own = await telegram("Своя");
    expect(await own.say("где мой заказ 1042?")).toMatchObject({ state: "pending" });
    expect((await own.say("6789")).text).toContain("Собран");
    const other = await telegram("Чужой");
    await other.say("где мой заказ 1042?");
    const wrong = await other.say("1111");
    expect(wrong.text).toBe(
      "По этим данным ничего не нашлось. Проверьте, пожалуйста: номер заказа и последние 4 цифры телефона.",
    );
  });

  test("a wrong proof and an absent order get one answer, and both count as attempts", async () => {
    await addOrders(ann, twinId);
    const chat = await telegram();
    const tried = async (key: string, last: string) => {
      await chat.say(`статус заказа ${key}`);
      return (await chat.say(last)).text;
    };
    const wrong = await tried("1042", "1111");
    const absent = await tried("5555", "1111");
    expect(absent).toBe(wrong);
    const states = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select({ state: acts.state, refusal: acts.refusal }).from(acts).where(eq(acts.refusal, "proof")),
    );
    expect(states).toHaveLength(2);
    for (let at = states.length; at < ATTEMPTS.ofPerson; at++) await tried("1042", "1111");
    const right = await tried("1042", "6789");
    expect(right).toBe("Не получается это проверить. Передам вопрос, ответим здесь же.");
    // Another person is not locked out by him.
    const other = await telegram("Другой");
    await other.say("статус заказа 1042");
    expect((await other.say("6789")).text).toContain("Собран");
  });

  test("strangers who change their names are stopped together", async () => {
    const tool = await addOrders(ann, twinId);
    const { organizationId: orgId } = ann.caller;
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.insert(acts).values(
        Array.from({ length: ATTEMPTS.ofTool }, () => ({
          ...{ orgId, twinId, toolId: tool.id, title: tool.title, changes: false, arguments: [] },
          ...{ state: "refused" as const, refusal: "proof" as const },
        })),
      ),
    );
    const chat = await telegram();
    await chat.say("где мой заказ 1042?");
    expect((await chat.say("6789")).text).not.toContain("Собран");
  });

  test("the phone that WhatsApp vouches for proves it without a question, and only for its own order", async () => {
    await addOrders(ann, twinId);
    const chat = await talkOver(t, ann, { twinId, platform: "whatsapp", peerId: "+7 912 345-67-89" });
    expect((await chat.say("где мой заказ 1042?")).text).toContain("Собран");
    expect((await chat.say("где мой заказ 1043?")).text).toBe("Подскажите, пожалуйста: последние 4 цифры телефона.");
    // In Telegram a name that looks like a phone proves nothing.
    const forged = await talkOver(t, ann, { twinId, platform: "telegram", peerId: "+7 912 345-67-89" });
    expect((await forged.say("где мой заказ 1042?")).text).toContain("последние 4 цифры");
  });

  test("a system that does not answer leaves the question to the owner, and the figures say so", async () => {
    await addTool(ann, twinId, orderApiTool(shop.origin));
    shop.answers.set("/orders/1042", { status: 500, text: "" });
    const chat = await telegram();
    await chat.say("где мой заказ 1042?");
    const left = await chat.say("+7 912 345-67-89");
    expect(left.text).toBe("Не получается это проверить. Передам вопрос, ответим здесь же.");
    expect(left.citations).toMatchObject({ basis: "unknown", calls: [{ outcome: "failed" }] });
    shop.answers.set("/orders/1042", { json: { order: { status: "в пути", phone: "79123456789" } } });
    await chat.say("где мой заказ 1042?");
    expect((await chat.say("+7 912 345-67-89")).text).toContain("Статус: в пути");
    const { tools } = (await ann.get("/api/acts/figures?days=7")).json<ActFigures>();
    expect(tools).toMatchObject([{ title: "Заказ в системе", asked: 2, done: 1, failed: 1, refused: 0 }]);
  });

  test("where the owner wants to be asked first, the read waits for him and is sent once he agrees", async () => {
    await addOrders(ann, twinId, { degree: "asks" });
    const chat = await telegram();
    await chat.say("где мой заказ 1042?");
    expect((await chat.say("6789")).text).toContain("Передаю на подтверждение");
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 1 });
    const [waiting] = (await ann.get("/api/acts?show=open")).json<Act[]>();
    expect(waiting).toMatchObject({
      state: "waiting-owner",
      changes: false,
      contactName: expect.any(String),
      target: null,
    });
    const approved = await ann.post(`/api/acts/${waiting!.id}/approve`);
    expect(approved.json(), approved.body).toMatchObject({ state: "done" });
    expect((await chat.sent()).at(-1)).toMatchObject({ state: "pending", text: expect.stringContaining("Собран") });
    expect((await ann.post(`/api/acts/${waiting!.id}/approve`)).json()).toMatchObject({ code: "act_decided" });
  });

  test("an answer with a result is shown to the owner with its call, and teaches the twin nothing", async () => {
    await addOrders(ann, twinId);
    const chat = await talkOver(t, ann, { twinId, platform: "telegram", autonomy: "draft" });
    const draft = await chat.say("где мой заказ 1042, телефон +7 912 345-67-89?");
    const [shown] = (await ann.get("/api/approvals")).json<Approval[]>();
    expect(shown).toMatchObject({ id: draft.id, calls: [{ outcome: "done", title: "Статус заказа" }] });
    for (const scope of ["contact", "everybody"]) {
      const refused = await ann.post(`/api/approvals/${draft.id}/approve?teach=${scope}`);
      expect([refused.statusCode, refused.json().code]).toEqual([422, "personal_correction"]);
    }
    expect((await ann.post(`/api/approvals/${draft.id}/approve`)).statusCode).toBe(200);
  });

  test.each([
    ["switched off", { enabled: false }],
    ["set to «never»", { degree: "never" as const }],
  ])("a tool that is %s is not there", async (_, more) => {
    await addOrders(ann, twinId, more);
    const { citations } = await (await telegram()).say("где мой заказ 1042?");
    expect(citations).not.toHaveProperty("calls");
  });

  test("forgetting the contact removes the words of his acts, and a foreign organisation reads none of them", async () => {
    await addOrders(ann, twinId);
    const chat = await telegram();
    await chat.say("где мой заказ 1042?");
    await chat.say("6789");
    const stranger = await t.signUp();
    expect((await stranger.get("/api/acts")).json()).toEqual([]);
    expect((await stranger.post(`/api/acts/${randomUUID()}/approve`)).statusCode).toBe(404);
    const [act] = await actsNow();
    expect((await ann.delete(`/api/conversations/${act!.conversationId}/contact`)).statusCode).toBeLessThan(300);
    const left = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(acts));
    expect(JSON.stringify(left)).not.toContain("1042");
  });
});

describe("what changes something", () => {
  const cancelTool = (examples = ["отмените мой заказ 41915"]) =>
    bookingTool(
      shop.origin,
      {
        url: `${shop.origin}/cancel`,
        fields: [{ name: "order", label: "Номер заказа", type: "text", required: true, description: "", choices: [] }],
      },
      { title: "Отмена заказа", examples },
    );
  const QUESTION = "Отмена заказа: номер заказа — 1042. Всё верно? Ответьте «да», и я передам.";

  test("is proposed by its example, confirmed by «да», and called once its owner agrees", async () => {
    shop.answers.set("/cancel", { json: { number: "C-1" } });
    const tool = await addTool(ann, twinId, cancelTool());
    expect(tool.forms).toEqual(["отмените мой заказ [Номер заказа]"]);
    const chat = await telegram();
    expect((await chat.say("Отмените, пожалуйста, мой заказ № 1042")).text).toBe(QUESTION);
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 0 });
    expect((await chat.say("да")).text).toContain("Передаю на подтверждение");
    expect(shop.requests).toEqual([]);
    const [waiting] = (await ann.get("/api/acts?show=open")).json<Act[]>();
    expect((await ann.post(`/api/acts/${waiting!.id}/approve`)).json()).toMatchObject({ state: "done" });
    expect(shop.requests.map(({ body }) => body)).toEqual(['{"order":"1042"}']);
    expect((await chat.sent()).at(-1)?.text).toBe("Готово: отмена заказа.\nНомер записи: C-1");
  });

  test("asks for the number that it lacks, which no «да» stands for", async () => {
    await addTool(ann, twinId, cancelTool());
    const first = await ask("Отмените мой заказ");
    expect(first.response).toBe("Подскажите, пожалуйста: номер заказа.");
    const other = await ask("да", first.conversationId);
    expect(other.calls).toBeUndefined();
    expect((await actsNow()).map(({ state }) => state)).toEqual(["refused"]);
    const again = await ask("Отмените мой заказ", first.conversationId);
    const named = await ask("1042", again.conversationId);
    expect(named.response).toBe(QUESTION);
    const shown = await ask("да", first.conversationId);
    expect(shown.calls).toMatchObject([{ outcome: "dry", arguments: [{ value: "1042" }] }]);
    expect(shop.requests).toEqual([]);
    expect((await actsNow()).map(({ state, dry }) => [state, dry])).toEqual([
      ["done", true],
      ["refused", false],
    ]);
  });

  test.each(["Как отменить мой заказ 1042?", "Не отменяйте мой заказ 1042", "Где мой заказ 1042?"])(
    "is not proposed for «%s»",
    async (message) => {
      await addTool(ann, twinId, cancelTool(["отменить мой заказ 41915", "отменяйте мой заказ 41915"]));
      expect((await ask(message)).calls).toBeUndefined();
    },
  );

  test("is recognised by no example without the number that it needs; its owner and the test chat say so", async () => {
    const tool = await addTool(ann, twinId, cancelTool(["отмените мой заказ"]));
    expect([tool.forms, tool.needsModel]).toEqual([[], "examples"]);
    const told = await ask("отмените мой заказ 1042");
    expect(told.calls).toMatchObject([{ actId: null, title: tool.title, outcome: "needs-model", arguments: [] }]);
    expect((await (await telegram()).say("отмените мой заказ 1042")).citations).not.toHaveProperty("calls");
    expect(await actsNow()).toEqual([]);
    const mended = await ann.put(`/api/tools/${tool.id}`, cancelTool());
    expect(mended.json<Tool>().needsModel).toBe(null);
    const several = await addTool(
      ann,
      twinId,
      bookingTool(shop.origin, {}, { examples: ["запишите на завтра на 15:00"] }),
    );
    expect(several.needsModel).toBe("fields");
    expect((await ask("запишите меня на завтра на 15:00")).calls).toMatchObject([
      { outcome: "needs-model", note: expect.stringContaining("несколько значений") },
    ]);
    const listed = (await ann.get(`/api/tools?twinId=${twinId}`)).json<Tool[]>();
    expect(listed.map(({ needsModel, example }) => [needsModel, example])).toEqual([
      [null, "отмените мой заказ 41915"],
      ["fields", null],
    ]);
  });
});

describe("beside other tools", () => {
  const address = { type: "text" as const, required: true, description: "", choices: [] };
  const tools = (): ToolInput[] => [
    orderApiTool(shop.origin, {}, { title: "Статус заказа", examples: ["что с заказом 41915", "заказ 41915"] }),
    orderApiTool(
      shop.origin,
      { url: `${shop.origin}/parts/{order_id}` },
      { title: "Состав заказа", examples: ["Что в заказе 1042?"] },
    ),
    bookingTool(
      shop.origin,
      { method: "PUT", fields: [{ name: "order", label: "Номер заказа", ...address }] },
      { title: "Смена адреса", examples: ["поменять адрес заказа 1042"] },
    ),
    {
      ...orderApiTool(shop.origin, {}, { title: "Адрес доставки", degree: "asks" }),
      proof: { everybody: true, channelPhone: null, asked: [] },
      examples: ["Можно поменять адрес у заказа 1042?"],
      settings: {
        ...{ kind: "question", question: "Можно поменять адрес?" },
        fields: [{ name: "order", label: "Номер заказа", ...address }],
      },
    },
  ];

  test.each([false, true])("each example reaches its own, made in either order", async (turned) => {
    const inputs = turned ? tools().toReversed() : tools();
    for (const input of inputs) await addTool(ann, twinId, input);
    const called = async (message: string) => (await ask(message)).calls?.map(({ title, outcome }) => [title, outcome]);
    for (const { title, examples } of inputs)
      for (const example of examples) expect((await called(example))?.[0]?.[0]).toBe(title);
    expect(await called("А можно ли поменять адрес у моего заказа 1042?")).toEqual([["Адрес доставки", "dry"]]);
    expect(await called("Что там в моём заказе 1042?")).toEqual([["Состав заказа", "proof"]]);
    expect(shop.requests).toEqual([]);
    const told = await ask("Что с заказом и что в заказе 1042?");
    expect(told.calls).toMatchObject([{ outcome: "needs-model", note: expect.stringContaining("«Состав заказа»") }]);
    expect((await (await telegram()).say("Что с заказом и что в заказе 1042?")).citations).not.toHaveProperty("calls");
  });

  test("another request behind a question for a proof is no wrong proof, and is asked for its own", async () => {
    for (const input of tools().slice(0, 2)) await addTool(ann, twinId, input);
    const { conversationId, calls } = await ask("что с заказом 1042");
    expect(calls).toMatchObject([{ title: "Статус заказа", outcome: "proof" }]);
    const other = await ask("что в заказе 1043", conversationId);
    expect(other.calls).toMatchObject([{ title: "Состав заказа", outcome: "proof" }]);
    expect(shop.requests).toEqual([]);
    const acts = (await ann.get("/api/acts")).json<Act[]>();
    expect(acts.filter(({ reason }) => reason?.startsWith("Подтверждение не подошло"))).toEqual([]);
  });

  test("the same example in two is saved, called by none, and named to the owner at both", async () => {
    const [status, parts] = tools();
    await addTool(ann, twinId, status!);
    const own = await addTool(ann, twinId, { ...parts!, examples: ["Что с заказом № 7?"] });
    expect([own.example, own.taken]).toEqual([null, [{ example: "Что с заказом № 7?", by: ["Статус заказа"] }]]);
    const listed = async () => (await ann.get(`/api/tools?twinId=${twinId}`)).json<Tool[]>();
    expect((await listed()).map(({ taken }) => taken.flatMap(({ by }) => by))).toEqual([
      ["Состав заказа"],
      ["Статус заказа"],
    ]);
    expect((await ask("что с заказом 1042")).calls).toMatchObject([{ outcome: "needs-model" }]);
    // One that is off takes nothing.
    await ann.put(`/api/tools/${own.id}`, { ...parts!, examples: ["Что с заказом № 7?"], enabled: false });
    expect((await listed())[0]?.taken).toEqual([]);
    expect((await ask("что с заказом 1042")).calls).toMatchObject([{ title: "Статус заказа", outcome: "proof" }]);
  });
});
