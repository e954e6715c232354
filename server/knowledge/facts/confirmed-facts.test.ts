import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConfirmedFacts } from "#contract/knowledge/confirmed-facts.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const factsOf = async (client: TestClient) => (await client.get("/api/knowledge/facts")).json<ConfirmedFacts>();

async function withFact() {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  const [orgId, createdBy] = [owner.caller.organizationId, owner.caller.userId];
  const row = {
    orgId,
    twinId,
    createdBy,
    question: "До скольки вы работаете?",
    context: [],
    twinReply: "",
    audience: 0,
  };
  await asTenant(t.services.db, owner.caller, async (tx) => {
    await tx.insert(corrections).values([
      { ...row, kind: "fact", text: "Работаем с 10 до 20", factSubject: Buffer.from("hours") },
      { ...row, kind: "fact", text: "По воскресеньям закрыто", state: "off" },
      { ...row, kind: "fact", text: "Иван платит картой", audience: -1 },
      { ...row, kind: "example", text: "до восьми вечера" },
      { ...row, kind: "fact", text: "Забытое", state: "removed" },
    ]);
  });
  return { owner, twinId };
}

test("the owner sees his twins' published facts, and no other member does", async () => {
  const { owner, twinId } = await withFact();
  const { facts, waiting } = await factsOf(owner);
  expect(facts.map(({ text, fromLetters, active }) => [text, fromLetters, active])).toEqual([
    ["По воскресеньям закрыто", false, false],
    ["Работаем с 10 до 20", true, true],
  ]);
  expect(facts[0]).toMatchObject({ digitalTwinId: twinId, question: "До скольки вы работаете?" });
  expect(waiting).toEqual([]);
  const colleague = await t.signUp({ role: "org_admin", organizationId: owner.caller.organizationId });
  expect(await factsOf(colleague)).toEqual({ facts: [], waiting: [] });
});

test("a fact that is changed where it stands stays one from the letters, and the former words come back", async () => {
  const { owner, twinId } = await withFact();
  const fact = (await factsOf(owner)).facts[1]!;
  const put = (id: string, text: string) =>
    owner.put(`/api/digital-twins/${twinId}/corrections/${id}`, {
      lesson: { kind: "fact", question: fact.question, rewordings: [], text, rules: [], scope: "everybody" },
    });
  const { id } = (await put(fact.id, "Работаем с 9 до 21")).json();
  expect((await factsOf(owner)).facts[0]).toMatchObject({ id, text: "Работаем с 9 до 21", fromLetters: true });
  await put(id, fact.text);
  expect((await factsOf(owner)).facts.map(({ text }) => text)).toEqual([
    "Работаем с 10 до 20",
    "По воскресеньям закрыто",
  ]);
});
