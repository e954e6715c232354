import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TwinVoice } from "#contract/models/voice.ts";
import type { TwinQuality } from "#contract/quality.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { pairChat } from "#server/knowledge/messages/pair-chats.ts";
import { baseShapes } from "#server/models/adapters/base-shapes.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { fidelityMeasures, voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { chooseTinyModel } from "#server/test/models/local-model.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { measureFidelity } from "./measure-fidelity.ts";
import { trainTwin } from "./train-twin.ts";

const calm = new AbortController().signal;
const DAY_MS = 24 * 3600_000;

let t: TestApp;
let folder: string;
let path: string;
beforeAll(async () => {
  t = await testApp();
  await t.services.jobs.stop(2000);
  folder = await mkdtemp(join(tmpdir(), "dt-measured-voice-"));
  path = join(folder, "chat");
  await writeTinyChatModel(path);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

test("a voice is measured before and after; trials stay with the voice, and a normal measure names the voice it used", async () => {
  const owner = await t.signUp();
  const { organizationId, userId } = owner.caller;
  const twinId = await buildTwin(owner);
  const tenant = { organizationId, userId };
  await asTenant(t.services.db, tenant, async (tx) => {
    const kind = { kind: "export", platform: "telegram", externalId: "1", name: "Выгрузка" } as const;
    const place = { twinId, sourceId: await ensureSource(tx, tenant, twinId, kind), platform: "telegram" };
    for (const [at, habits] of OTHERS.slice(0, 8).entries()) {
      const who = { externalId: `${at}`, name: `Человек ${at}` };
      const contactId = (await ensureContacts(tx, tenant, place, [who])).get(who.externalId)!;
      const chatId = await ensureChat(tx, tenant, place, { ...who, kind: "private" });
      const own = messagesOf(OWNER, 60, `to ${at}`);
      const lines = messagesOf(habits, 60, `of ${at}`).flatMap((text, nth) => {
        const sentAt = Date.UTC(2025, 0, 1, 9, at) + Math.floor(nth / 3) * DAY_MS + (nth % 3) * 3600_000;
        const line = { chatId, replyTo: null, kind: "text" as const };
        return [
          { ...line, contactId, fromOwner: false, externalId: `${nth}?`, text, sentAt: new Date(sentAt) },
          {
            ...line,
            contactId: null,
            fromOwner: true,
            externalId: `${nth}!`,
            text: own[nth]!,
            sentAt: new Date(sentAt + 30_000),
          },
        ];
      });
      await storeMessages(tx, tenant, place, lines);
      await pairChat(tx, tenant, { twinId, chatId });
    }
  });
  await trainTwin(t.services, { ...tenant, twinId }, calm);
  const row = await chooseTinyModel(t);
  const place = { orgId: organizationId, twinId, userId, fileName: "v", bytes: 1, baseName: row.name, rank: 8 };
  const baseShape = (await baseShapes(path))!.fingerprint;
  const [first, second] = await asTenant(t.services.db, tenant, (tx) =>
    tx
      .insert(voiceAdapters)
      .values(
        [1, 2].map((version) => ({
          ...place,
          version,
          baseShape,
          storedName: `voice-${randomUUID()}`,
          active: version === 1,
        })),
      )
      .returning(),
  );
  const asked: ReplyRequest[] = [];
  const generator: Generator = {
    ...{ name: "llm", local: { name: row.name, path } },
    async *generate(request) {
      asked.push(request);
      yield `${request.message} ну да)`;
    },
  };
  const deps = { ...t.services, generator, chosenModels: { generatorFor: async () => generator } };
  const measure = (voiceId?: string | null) =>
    measureFidelity(deps, { ...tenant, twinId, ...(voiceId === undefined ? {} : { voiceId }) }, calm);
  const accuracy = async () =>
    (await asTenant(t.services.db, tenant, (tx) => tx.select().from(twins).where(eq(twins.id, twinId))))[0]!
      .styleAccuracy;
  const voicesAsked = () => [...new Set(asked.splice(0).map(({ voice }) => voice))];
  const path0 = `/api/digital-twins/${twinId}`;
  const look = async () => (await owner.get(`${path0}/voice`)).json<TwinVoice>();
  expect(await look()).toMatchObject({
    before: { figure: null },
    voices: [{ after: { figure: null } }, { after: { figure: null } }],
  });

  await measure(second!.id);
  await measure(null);
  // A model's answers are slow, so each question is asked once.
  expect(asked).toHaveLength(2 * 96);
  expect(voicesAsked()).toEqual([second!.id, null]);
  const seen = await look();
  expect(seen.before.figure?.value).toEqual(expect.any(Number));
  expect(seen.voices).toMatchObject([
    { version: 2, after: { figure: { value: expect.any(Number) } } },
    { after: { figure: null } },
  ]);
  expect(await accuracy()).toBeNull();
  expect((await owner.get(`${path0}/quality`)).json<TwinQuality>()).toMatchObject({
    measure: null,
    history: [],
    worst: [],
  });

  await measure();
  expect(voicesAsked()).toEqual([first!.id]);
  expect(await accuracy()).toEqual(expect.any(Number));
  expect((await owner.get(`${path0}/quality`)).json<TwinQuality>().history).toHaveLength(1);
  expect((await look()).voices[1]).toMatchObject({ version: 1, after: { figure: { value: expect.any(Number) } } });

  // The result of a deleted voice does not count as the previous one.
  expect((await owner.delete(`${path0}/voice/${first!.id}`)).statusCode).toBe(204);
  await asTenant(t.services.db, tenant, (tx) => tx.delete(fidelityMeasures).where(eq(fidelityMeasures.trial, true)));
  expect(await look()).toMatchObject({ before: { figure: null } });
  await measure(randomUUID());
  expect(asked).toEqual([]);
  const requested = await owner.post(`${path0}/voice/measure`, { voiceId: second!.id });
  expect(requested.statusCode, requested.body).toBe(202);
  expect((await look()).voices[0]).toMatchObject({ after: { measuring: true } });
  expect((await owner.get(`${path0}/voice`)).json<TwinVoice>().before.measuring).toBe(false);
});
