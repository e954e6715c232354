/** What no system knows: the twin asks its owner, whose own words the customer gets. */
import { describe, expect, test } from "vitest";
import type { Act } from "#contract/actions/acts.ts";
import type { Tool, ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import { addTool } from "#server/test/actions/actions-bench.ts";
import { ann, ask, model, prepareShop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { talkOver } from "#server/test/actions/talk-over.ts";

prepareShop({ withModel: true });

const questionTool = (more: Partial<ToolInput> = {}, question = "Есть ли {item}?"): ToolInput => ({
  ...{ title: "Наличие", description: "Узнать, есть ли товар", enabled: true, degree: "asks", changes: false },
  ...{ proof: { everybody: true, channelPhone: null, asked: [] }, examples: [] },
  settings: {
    ...{ kind: "question", question },
    fields: [{ name: "item", label: "Товар", type: "text", required: true, description: "", choices: [] }],
  },
  ...more,
});

async function asked() {
  await addTool(ann, twinId, questionTool());
  const chat = await talkOver(t, ann, { twinId, platform: "telegram" });
  model.obeys(() => JSON.stringify({ ...JSON.parse(CALL) }));
  const said = await chat.say("Есть ли у вас латте?");
  const [act] = (await ann.get("/api/acts?show=open")).json<Act[]>();
  return { chat, said, act: act! };
}
const CALL = JSON.stringify({
  ...{ kind: "act", messages: [], sources: [], sums: [], open: "", action: "", search: "" },
  call: { tool: "nalichie", arguments: [{ name: "item", value: "латте" }] },
});

describe("a question to the owner", () => {
  test("is formed of what the customer said; his answer reaches the customer as it is, once", async () => {
    const { chat, said, act } = await asked();
    expect(said.text).toBe("Уточню и отвечу здесь же.");
    expect(act).toMatchObject({
      ...{ state: "waiting-owner", changes: false, target: null, question: null, ownerQuestion: "Есть ли латте?" },
    });
    expect((await ann.post(`/api/acts/${act.id}/approve`)).json()).toMatchObject({ code: "act_needs_answer" });
    expect((await ann.post(`/api/acts/${act.id}/answer`, { text: "  " })).statusCode).toBe(400);
    const answers = await Promise.all(
      ["Да, есть, на овсяном тоже.", "Нет."].map((text) => ann.post(`/api/acts/${act.id}/answer`, { text })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const done = answers.find(({ statusCode }) => statusCode === 200)!.json<Act>();
    expect(done.state).toBe("done");
    const told = (await chat.sent()).filter(({ text }) => text === done.result[0]!.value);
    expect(told).toHaveLength(1);
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 0 });
  });

  test("is put once while it waits, and can be left without an answer", async () => {
    const { chat, act } = await asked();
    await chat.say("Ну так есть латте?");
    expect((await ann.get("/api/acts?show=open")).json<Act[]>()).toHaveLength(1);
    const before = (await chat.sent()).length;
    expect((await ann.post(`/api/acts/${act.id}/reject`)).json()).toMatchObject({ state: "refused" });
    expect(await chat.sent()).toHaveLength(before);
    expect((await ann.post(`/api/acts/${act.id}/answer`, { text: "Да" })).json()).toMatchObject({
      code: "act_decided",
    });
  });

  test("is answered by nobody of another organisation, and not once its tool is switched off", async () => {
    const { act } = await asked();
    const stranger = await t.signUp();
    expect((await stranger.post(`/api/acts/${act.id}/answer`, { text: "Да" })).statusCode).toBe(404);
    const off = questionTool({ enabled: false });
    expect((await ann.put(`/api/tools/${act.toolId}`, off)).statusCode).toBe(200);
    expect((await ann.post(`/api/acts/${act.id}/answer`, { text: "Да" })).json()).toMatchObject({ state: "refused" });
  });

  test("is never put without its owner, names only its own fields, and is only shown in a trial", async () => {
    const itself = await ann.post("/api/tools", { twinId, tool: questionTool({ degree: "itself" }) });
    expect([itself.statusCode, itself.json().fields?.["tool.degree"]]).toEqual([400, "На вопрос отвечаете вы"]);
    expect((await ann.post("/api/tools", { twinId, tool: questionTool({}, "Есть {other}?") })).statusCode).toBe(400);
    const tool = await addTool(ann, twinId, questionTool());
    const sample = { arguments: [{ name: "item", value: "латте" }] };
    const tried = (await ann.post(`/api/tools/${(tool as Tool).id}/try`, sample)).json<ToolTrial>();
    expect(tried).toMatchObject({ call: { outcome: "dry" }, request: { body: "Есть ли латте?" } });
    expect((await ann.get("/api/acts")).json()).toEqual([]);
  });

  test("in a test chat is only shown, and stands in no queue, unless a member sets it live", async () => {
    await addTool(ann, twinId, questionTool());
    model.obeys(() => CALL);
    const shown = await ask("Есть ли у вас латте?");
    expect(shown.response).toContain("вопрос не задан");
    expect(shown.calls).toMatchObject([{ outcome: "dry", note: expect.stringContaining("«Есть ли латте?»") }]);
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 0 });
    expect((await ann.get("/api/acts?show=open")).json()).toEqual([]);
    expect((await ann.get("/api/acts?show=dry")).json()).toMatchObject([
      { state: "done", dry: true, platform: "test" },
    ]);
    expect((await ann.get("/api/acts?show=done")).json()).toEqual([]);
    const live = await ask("Есть ли у вас латте?", shown.conversationId, { live: true });
    expect(live.calls).toMatchObject([{ outcome: "waiting-owner" }]);
    expect((await ann.get("/api/acts/count")).json()).toEqual({ waiting: 1 });
  });

  test("of a live test chat gets its answer there, and each call of the chat shows how its act ended", async () => {
    await addTool(ann, twinId, questionTool());
    model.obeys(() => CALL);
    const put = await ask("Есть ли у вас латте?", undefined, { live: true });
    const { conversationId } = put;
    const lines = async () =>
      (await ann.get(`/api/conversations/${conversationId}/messages`)).json<ChatMessage[]>().map((line) => ({
        ...{ role: line.role, text: line.content, reason: line.reason, scripted: line.scripted },
        calls: line.calls?.map(({ outcome, result, note }) => ({ outcome, result, note })),
      }));
    const waits = { outcome: "waiting-owner", result: [], note: null };
    expect((await lines()).at(-1)).toMatchObject({ reason: "Вопрос «Наличие» ждёт вашего ответа.", calls: [waits] });
    const [act] = (await ann.get("/api/acts?show=open")).json<Act[]>();
    // A test chat is named by its first message, which is no name of the one who asks.
    expect(act).toMatchObject({ platform: "test", contactName: "", decider: null, decidedAt: null });
    expect((await ann.get(`/api/acts/${act!.id}/messages`)).json()).toMatchObject([
      { by: "contact", text: "Есть ли у вас латте?" },
    ]);
    const stranger = await t.signUp({ organizationId: ann.caller.organizationId });
    expect((await stranger.get(`/api/acts/${act!.id}/messages`)).statusCode).toBe(404);
    await ann.post(`/api/acts/${act!.id}/answer`, { text: "Да, на овсяном." });
    expect((await lines()).slice(1)).toEqual([
      {
        ...{ role: "assistant", text: "Уточню и отвечу здесь же.", scripted: true },
        reason: "На вопрос «Наличие» ответил человек.",
        calls: [{ outcome: "done", result: [{ label: "Ответ", value: "Да, на овсяном." }], note: null }],
      },
      {
        ...{ role: "assistant", text: "Да, на овсяном.", scripted: true, calls: undefined },
        reason: "На вопрос «Наличие» ответил человек.",
      },
    ]);
    expect((await ann.get(`/api/conversations/${conversationId}`)).json()).toMatchObject({
      ...{ lastMessage: "Да, на овсяном.", messageCount: 3 },
    });
    // A refusal adds no message.
    await ask("А точно есть латте?", conversationId, { live: true });
    const [second] = (await ann.get("/api/acts?show=open")).json<Act[]>();
    const refused = (await ann.post(`/api/acts/${second!.id}/reject`)).json<Act>();
    expect(refused).toMatchObject({ decidedBy: ann.caller.userId, decider: expect.any(String) });
    expect(refused.decidedAt).toBe(refused.endedAt);
    expect((await lines()).slice(3)).toMatchObject([
      { role: "user" },
      { calls: [{ outcome: "refused", note: "Вы отклонили" }], reason: "Вопрос «Наличие» остался без ответа." },
    ]);
    const shown = async (show: string) =>
      (await ann.get(`/api/acts?show=${show}`)).json<Act[]>().map(({ id, decider }) => [id, decider]);
    expect(await shown("done")).toEqual([[act!.id, refused.decider]]);
    expect(await shown("refused")).toEqual([[second!.id, refused.decider]]);
    expect([await shown("dry"), await shown("failed"), await shown("open")]).toEqual([[], [], []]);
  });
});
