import { afterAll, beforeAll, expect, test } from "vitest";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

const LETTER = "Код от домофона в Липовом переулке сорок два ключ";

let t: TestApp;
let owner: TestClient;
let twinId: string;

beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
  twinId = await buildTwin(owner, { knowledgeArea: "Доставка" });
  await owner.post("/api/knowledge/upload", {
    digitalTwinId: twinId,
    name: "Доставка",
    type: "faq",
    content: "Доставка по Липовому переулку стоит 350 рублей и занимает один день, в выходные два дня.",
  });
  await owner.post("/api/conversations/upload", {
    digitalTwinId: twinId,
    platform: "telegram",
    participants: ["Борис"],
    messages: [
      { role: "user", content: "Какой код домофона в Липовом переулке?" },
      { role: "assistant", content: LETTER },
    ],
  });
  await t.jobsIdle();
});
afterAll(() => t.close());

const find = async (client: TestClient) =>
  (
    await client.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("код домофона Липовый переулок")}`)
  ).json();

test("the owner finds documents and the history", async () => {
  const kinds = new Set((await find(owner)).map((hit: { kind: string }) => hit.kind));
  expect(kinds).toEqual(new Set(["document", "message"]));
});

test.each(["org_admin", "user", "viewer"] as const)("a colleague (%s) finds documents and no letter", async (role) => {
  const colleague = await t.signUp({ role, organizationId: owner.caller.organizationId });
  const hits = await find(colleague);
  expect(hits.map((hit: { kind: string }) => hit.kind)).toEqual(["document"]);
  expect(JSON.stringify(hits)).not.toContain("домофона");
});

test("a colleague's chat with the twin neither says nor shows any letter", async () => {
  const colleague = await t.signUp({ role: "user", organizationId: owner.caller.organizationId });
  const answer = await colleague.post("/api/ai-generate", {
    twinId,
    message: "Какой код домофона в Липовом переулке?",
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.body.replace("Какой код домофона", "")).not.toContain("ключ");
  expect(answer.json().replyExamples).toEqual([]);
});
