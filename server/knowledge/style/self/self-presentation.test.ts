/** Who the owner is: learnt from his letters, stated by himself, and met by those whom his twin answers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SelfPresentation } from "#contract/knowledge/self-presentation.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { prepareReply } from "#server/answers/replies/planning/prepare-reply.ts";
import { buildPrompt } from "#server/answers/replies/prompt/prompt.ts";
import { buildRecordPrompt } from "#server/answers/replies/record/record-prompt.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { forgetLetters } from "#server/knowledge/forgetting/forget-letters.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { twinVersions } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let owner: TestClient;
let twinId: string;
let address: string;

beforeAll(async () => {
  t = await testApp();
  // The test runs the training itself.
  await t.services.jobs.stop(2000);
  owner = await t.signUp();
  twinId = await buildTwin(owner, { description: "Отвечает клиентам. Я — мастер по обуви." });
  address = `/api/digital-twins/${twinId}/self-presentation`;
  for (const [at, name] of ["Олег", "Мария"].entries()) {
    const texts = [
      "я посмотрела",
      "рада помочь",
      "я всё проверила",
      "я уже отправила",
      "Готово\nВаша Анна",
      "Ок\nВаша Анна",
    ];
    const messages = texts.flatMap((text, line) =>
      ["Как дела с заказом?", text].map((content, side) => ({
        content,
        role: side === 0 ? "user" : "assistant",
        timestamp: new Date(Date.UTC(2026, 0, 1 + at, 10, 2 * line + side)).toISOString(),
      })),
    );
    const stored = await owner.post("/api/conversations/upload", {
      ...{ platform: "telegram", participants: [name], digitalTwinId: twinId, messages },
    });
    expect(stored.statusCode, stored.body).toBe(201);
  }
  await trainTwin(t.services, { ...owner.caller, twinId }, new AbortController().signal);
});
afterAll(() => t.close());

const read = async (): Promise<SelfPresentation> => (await owner.get(address)).json();
const stranger = () =>
  asTenant(t.services.db, owner.caller, async (tx) =>
    prepareReply({
      ...(await openTwin(tx, owner.caller, twinId)),
      ...{ message: "Здравствуйте, вы открыты?", history: [], audience: { kind: "stranger" } as const },
      ...{ queryEmbedding: null, seed: "1", generator: "llm" as const },
    }),
  );

test("the owner sees what his letters and public texts show, and a stranger's prompt holds nothing that two people read", async () => {
  const { learnt, stated, messages } = await read();
  expect(messages).toBe(12);
  expect(learnt).toMatchObject({
    gender: { value: "female", count: 8, of: 8, isShared: false },
    role: { text: "мастер по обуви", source: "description" },
    signature: { text: "Ваша Анна", count: 4, isShared: false },
    languages: ["ru"],
  });
  expect(learnt.gender!.examples).toContain("я уже отправила");
  expect(stated).toEqual({ gender: "learnt" });
  const request = await stranger();
  for (const { system } of [buildPrompt(request), buildRecordPrompt(request)]) {
    expect(system).not.toContain("женском роде");
    expect(system).not.toContain("Ваша Анна");
  }
});

test("what he states stands in the prompt of every asker, is a version of the twin, and can be taken back", async () => {
  const said = { gender: "female", role: "обувной мастер", greeting: "Добрый день!", signature: "Ваша Анна" };
  const answer = await owner.put(address, said);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().stated).toEqual(said);
  const request = await stranger();
  for (const { system } of [buildPrompt(request), buildRecordPrompt(request)]) {
    expect(system).toContain(
      "Ты пишешь о себе в женском роде («я сделала», «рада»). Владелец о себе: обувной мастер. С незнакомыми здоровается так: «Добрый день!». Письма подписывает так: «Ваша Анна».",
    );
  }
  const versions = (await owner.get(`/api/digital-twins/${twinId}/versions`)).json();
  expect(versions[0]).toMatchObject({ cause: "settings", changed: ["Кто вы"] });
  const restored = await owner.post(`/api/digital-twins/${twinId}/versions/${versions[1].id}/restore`);
  expect(restored.statusCode, restored.body).toBe(201);
  expect((await read()).stated.role).toBeUndefined();
});

test("a text that claims to be human, an unknown gender and a long role are refused", async () => {
  const none = { gender: "learnt" };
  expect((await owner.put(address, { ...none, role: "живой человек, не бот" })).json().code).toBe("human_claim");
  expect((await owner.put(address, { ...none, gender: "other" })).statusCode).toBe(400);
  expect((await owner.put(address, { ...none, role: "ф".repeat(121) })).statusCode).toBe(400);
});

test("a colleague does not find it, and a viewer changes nothing", async () => {
  const { organizationId } = owner.caller;
  for (const role of ["org_admin", "viewer"] as const) {
    const colleague = await t.signUp({ role, organizationId });
    expect((await colleague.get(address)).statusCode).toBe(404);
    const refused = await colleague.put(address, { gender: "male" });
    expect([403, 404]).toContain(refused.statusCode);
  }
  expect((await read()).stated.gender).toBe("learnt");
});

test("when the twin passes to another owner, nothing of the former one is left, not even in versions", async () => {
  await owner.put(address, { gender: "female", signature: "Ваша Анна" });
  const { db, jobs } = t.services;
  const context = { jobs, tenant: owner.caller, twinId };
  await asTenant(db, owner.caller, (tx) => forgetLetters({ tx, ...context }, owner.caller.userId));
  const { stated, learnt } = await read();
  expect(stated).toEqual({ gender: "learnt" });
  expect(learnt).toMatchObject({ gender: null, signature: null });
  const kept = await asTenant(db, owner.caller, (tx) =>
    tx.select({ snapshot: twinVersions.snapshot }).from(twinVersions),
  );
  expect(JSON.stringify(kept)).not.toContain("Ваша Анна");
});
