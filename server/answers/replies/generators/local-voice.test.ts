/** Tests which voice adapter a local model uses for which twin. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { baseShapes } from "#server/models/adapters/base-shapes.ts";
import { twinVoices } from "#server/models/adapters/twin-voices.ts";
import type { Generated, Generation, ModelHost } from "#server/models/host/model-host.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { createLog } from "#server/platform/log.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { localGenerator } from "../local-generator.ts";
import type { ReplyRequest } from "../reply-request.ts";

let t: TestApp;
let folder: string;
let path: string;
let shape: string;
beforeAll(async () => {
  t = await testApp();
  folder = await mkdtemp(join(tmpdir(), "dt-local-voice-"));
  path = join(folder, "chat");
  await writeTinyChatModel(path);
  shape = (await baseShapes(path))!.fingerprint;
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

/** Recorded generations, and whether the model supports adapters. */
let asked: Generation[];
let usable: boolean;
beforeEach(() => {
  asked = [];
  usable = true;
});
const host = {
  facts: async () => ({ generator: { contextTokens: 8192, parameters: 8e9 } }),
  async *generate(generation: Generation): AsyncGenerator<string, Generated> {
    asked.push(generation);
    yield "Доставка стоит 350 рублей.";
    const adapted = generation.adapter ? usable : null;
    return { stopped: "end", input: 1, output: 1, reused: 0, adapted };
  },
  prefill: async () => null,
} as unknown as ModelHost;

const generator = () => {
  const voices = twinVoices(t.services);
  return localGenerator({
    host,
    log: createLog("silent"),
    totalMs: 60_000,
    voiced: { base: { name: "M", path }, voices },
  });
};

interface Owner {
  client: TestClient;
  twinId: string;
  payer: NonNullable<ReplyRequest["payer"]>;
}

async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { organizationId, userId } = client.caller;
  return { client, twinId, payer: { organizationId, userId, twinId } };
}

let version = 0;
async function voice({ client, twinId }: Owner, over: Partial<typeof voiceAdapters.$inferInsert> = {}) {
  const { organizationId: orgId, userId } = client.caller;
  const row = {
    orgId,
    twinId,
    userId,
    fileName: "v",
    storedName: `voice-${randomUUID()}`,
    bytes: 1,
    version: ++version,
  };
  const known = { baseName: "M", baseShape: shape, rank: 8, active: true };
  const [made] = await asTenant(t.services.db, client.caller, (tx) =>
    tx
      .insert(voiceAdapters)
      .values({ ...row, ...known, ...over })
      .returning(),
  );
  return { id: made!.id, path: storedPath(t.services.config.dataDir, made!.storedName) };
}

const request = (payer: ReplyRequest["payer"], over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?", history: [], replyExamples: [] },
  chunks: [
    {
      ...{ id: "1", documentId: "d", name: "Доставка", heading: "", text: "Доставка стоит 350 рублей.", score: 1 },
      sentences: [{ text: "Доставка стоит 350 рублей.", score: 1 }],
    },
  ],
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "Ответ найден в документе «Доставка»." },
  ...(payer && { payer }),
  ...over,
});

async function reply(of: ReplyRequest): Promise<string> {
  let text = "";
  for await (const delta of generator().generate(of, new AbortController().signal)) text += delta;
  return text;
}
const adapters = () => asked.map(({ adapter }) => adapter ?? null);
const failedAt = async ({ client }: Owner) =>
  (await asTenant(t.services.db, client.caller, (tx) => tx.select().from(voiceAdapters)))[0]!.failedAt;

test("a twin's replies use its own voice and nobody else can use it, not even by naming it", async () => {
  const [anna, boris] = [await owner(), await owner()];
  const [annas, boriss] = [await voice(anna), await voice(boris)];
  await reply(request(anna.payer));
  await reply(request(boris.payer));
  expect(adapters()).toEqual([annas.path, boriss.path]);
  asked = [];
  await expect(reply(request(boris.payer, { voice: annas.id, background: true }))).rejects.toMatchObject({
    code: "model_failed",
  });
  const second = await buildTwin(anna.client);
  await reply(request({ ...anna.payer, twinId: second }));
  // A caller who names another organisation's twin gets no voice.
  await reply(request({ ...boris.payer, twinId: anna.twinId }));
  await reply(request(undefined));
  expect(adapters()).toEqual([null, null, null]);
});

test("a voice that is off, for another model or still on its way is not used, and one can be left out on request", async () => {
  const who = await owner();
  await voice(who, { active: false });
  await reply(request(who.payer));
  await voice(who, { baseShape: "of another" });
  await reply(request(who.payer));
  expect(adapters()).toEqual([null, null]);
  const other = await owner();
  const on = await voice(other);
  const off = await voice(other, { active: false });
  asked = [];
  await reply(request(other.payer, { voice: null }));
  await reply(request(other.payer, { voice: off.id }));
  await reply(request(other.payer));
  expect(adapters()).toEqual([null, off.path, on.path]);
});

test("a voice that the model cannot use costs no reply; the owner is notified, and the notice disappears once it works again", async () => {
  const who = await owner();
  const { id } = await voice(who);
  usable = false;
  expect(await reply(request(who.payer))).toBe("Доставка стоит 350 рублей.");
  expect(await failedAt(who)).toBeInstanceOf(Date);
  // A measurement of this voice must not measure the model without it.
  await expect(reply(request(who.payer, { voice: id, background: true }))).rejects.toMatchObject({
    code: "model_failed",
  });
  usable = true;
  await reply(request(who.payer));
  expect(await failedAt(who)).toBeNull();
});
