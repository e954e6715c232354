import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TwinVoice, VoiceUpload } from "#contract/models/voice.ts";
import type { OrganizationStorage } from "#contract/organizations/storage.ts";
import { cleanUp } from "#server/cleanup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { chooseTinyModel } from "#server/test/models/local-model.ts";
import { type TinyAdapter, writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let folder: string;
let owner: TestClient;
let twinId: string;
beforeAll(async () => {
  t = await testApp({ organizationBytes: 3 * 1024 ** 2 });
  folder = await mkdtemp(join(tmpdir(), "dt-voice-"));
  await chooseTinyModel(t);
});
beforeEach(async () => {
  owner = await t.signUp();
  twinId = await buildTwin(owner);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

const files = () => {
  const uploads = join(t.services.config.dataDir, "uploads");
  return existsSync(uploads) ? readdirSync(uploads) : [];
};
const base = (id = twinId) => `/api/digital-twins/${id}/voice`;
const look = async (client = owner): Promise<TwinVoice> => (await client.get(base())).json();

async function adapter(options: TinyAdapter = {}): Promise<Buffer> {
  const path = join(folder, "adapter");
  await writeTinyAdapter(path, options);
  return readFile(path);
}
const begin = (bytes: Buffer, fileName = "voice.gguf", client = owner) =>
  client.post(`${base()}/files`, { fileName, bytes: bytes.length });
const append = (fileId: string, offset: number, payload: Buffer, client = owner) =>
  client.inject({
    method: "PATCH",
    url: `${base()}/files/${fileId}?offset=${offset}`,
    headers: { "content-type": "application/octet-stream" },
    payload,
  });
/** @returns the voice's id */
async function sent(bytes: Buffer): Promise<string> {
  const begun = await begin(bytes);
  expect(begun.statusCode, begun.body).toBe(201);
  const answer = await append(begun.json<VoiceUpload>().id, 0, bytes);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().voiceId;
}

describe("a voice's file", () => {
  test("comes in pieces, continues where it stopped, and becomes a version that can be on or off", async () => {
    const bytes = await adapter({ rank: 8 });
    const { id } = (await begin(bytes)).json<VoiceUpload>();
    expect((await append(id, 0, bytes.subarray(0, 1000))).json()).toMatchObject({ upload: { offset: 1000 } });
    expect((await look()).upload).toMatchObject({ id, fileName: "voice.gguf", offset: 1000 });
    // Uploading the same file again resumes the upload.
    expect((await begin(bytes)).json()).toMatchObject({ id, offset: 1000 });
    expect((await append(id, 5, bytes)).json()).toMatchObject({ code: "offset_differs" });
    const { voiceId } = (await append(id, 1000, bytes.subarray(1000))).json();
    const [voice] = (await look()).voices;
    expect(voice).toMatchObject({
      ...{ id: voiceId, version: 1, rank: 8, baseName: "Кроха 1", fits: true, active: false, failedAt: null },
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    expect((await look()).upload).toBeNull();
    expect(files()).toHaveLength(1);
    const storage = (
      await owner.get(`/api/organizations/${owner.caller.organizationId}/storage`)
    ).json<OrganizationStorage>();
    expect(storage.voicesBytes).toBe(voice!.bytes);
    expect(storage.usedBytes).toBeGreaterThanOrEqual(voice!.bytes);

    const second = await sent(await adapter({ seed: 2 }));
    expect((await owner.put(`${base()}/${voiceId}`, { active: true })).json().voices).toMatchObject([
      { version: 2, active: false },
      { version: 1, active: true },
    ]);
    // Only one voice can be active.
    expect((await owner.put(`${base()}/${second}`, { active: true })).json().voices).toMatchObject([
      { version: 2, active: true },
      { version: 1, active: false },
    ]);
    expect((await owner.delete(`${base()}/${second}`)).statusCode).toBe(204);
    expect((await look()).voices.map(({ version }) => version)).toEqual([1]);
    expect(files()).toHaveLength(1);
    expect((await owner.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
    expect(files()).toEqual([]);
  });

  test.each<[string, TinyAdapter, RegExp]>([
    ["for a model of another size", { width: 32 }, /модели другого размера\. Здесь отвечает «Кроха 1»/],
    ["for another family of models", { architecture: "qwen2" }, /другого семейства/],
    ["of another kind", { metadata: { "adapter.type": { text: "control" } } }, /другого вида/],
    [
      "with a part missing",
      { tensors: [{ name: "blk.0.attn_k.weight.lora_a", shape: [64, 4], values: new Float32Array(256) }] },
      /повреждён/,
    ],
  ])("%s is refused in a sentence, and nothing of it stays", async (_what, options, said) => {
    const bytes = await adapter(options);
    const { id } = (await begin(bytes)).json<VoiceUpload>();
    const answer = await append(id, 0, bytes);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().message).toMatch(said);
    expect(files()).toEqual([]);
    expect(await look()).toMatchObject({ voices: [], upload: null });
  });

  test("that is a whole model, an archive or a truncated voice is recognised as such", async () => {
    await writeTinyChatModel(join(folder, "model"));
    const voice = await adapter();
    const wrong: [Buffer, RegExp][] = [
      [await readFile(join(folder, "model")), /целая модель/],
      [Buffer.from("PK\u0003\u0004, а дальше архив, в котором лежит почерк"), /не файл GGUF/],
      [voice.subarray(0, voice.length - 500), /повреждён/],
    ];
    for (const [bytes, said] of wrong) {
      const { id } = (await begin(bytes)).json<VoiceUpload>();
      const answer = await append(id, 0, bytes);
      expect(answer.json().message).toMatch(said);
    }
    expect(files()).toEqual([]);
    const tooLong = await owner.post(`${base()}/files`, { fileName: "voice.gguf", bytes: 600 * 1024 ** 2 });
    expect(tooLong.statusCode).toBe(400);
    expect(tooLong.json().message).toMatch(/больше 512 МБ/);
  });

  test("counts towards the organisation's storage, and five versions are the limit", async () => {
    const full = await owner.post(`${base()}/files`, { fileName: "voice.gguf", bytes: 4 * 1024 ** 2 });
    expect(full.statusCode).toBe(413);
    expect(files()).toEqual([]);
    const bytes = await adapter();
    for (let version = 1; version <= 5; version++) await sent(bytes);
    const sixth = await begin(bytes);
    expect(sixth.statusCode).toBe(409);
    expect(sixth.json().message).toMatch(/не больше 5 версий/);
    expect(files()).toHaveLength(5);
    await owner.delete(`/api/digital-twins/${twinId}`);
    expect(files()).toEqual([]);
  });

  test("belongs to its owner: colleagues, administrators included, and strangers do not find it", async () => {
    const bytes = await adapter();
    const { id } = (await begin(bytes)).json<VoiceUpload>();
    const voiceId = await sent(await adapter({ seed: 3 }));
    const { id: going } = (await begin(bytes)).json<VoiceUpload>();
    expect(going).not.toBe(id);
    const colleague = await t.signUp({ organizationId: owner.caller.organizationId });
    const stranger = await t.signUp();
    for (const client of [colleague, stranger]) {
      expect((await client.get(base())).statusCode).toBe(404);
      expect((await client.get(`${base()}/data`)).statusCode).toBe(404);
      expect((await begin(bytes, "voice.gguf", client)).statusCode).toBe(404);
      expect((await append(going, 0, bytes, client)).statusCode).toBe(404);
      expect((await client.put(`${base()}/${voiceId}`, { active: true })).statusCode).toBe(404);
      expect((await client.delete(`${base()}/${voiceId}`)).statusCode).toBe(404);
    }
    // A voice cannot be addressed through another twin.
    const another = await buildTwin(owner);
    expect((await owner.put(`${base(another)}/${voiceId}`, { active: true })).statusCode).toBe(404);
    expect((await owner.post(`${base(another)}/measure`, { voiceId })).statusCode).toBe(404);
    await owner.delete(`/api/digital-twins/${twinId}`);
  });

  test("that is not continued or that no row names is removed, and a finished voice stays", async () => {
    await sent(await adapter());
    const bytes = await adapter({ seed: 4 });
    const { id } = (await begin(bytes)).json<VoiceUpload>();
    await append(id, 0, bytes.subarray(0, 500));
    expect(files()).toHaveLength(2);
    // The clean-up ends sessions as well.
    await cleanUp(t.services, Date.now() + 25 * 3600_000);
    expect(files()).toHaveLength(1);
    const left = await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(voiceAdapters));
    expect(left.map(({ version }) => version)).toEqual([1]);
    await asTenant(t.services.db, owner.caller, (tx) => tx.delete(voiceAdapters));
    await cleanUp(t.services, Date.now() + 25 * 3600_000);
    expect(files()).toEqual([]);
  });

  test("is deleted with the letters that it was made from when the twin gets another owner", async () => {
    const leaving = await t.signUp({ role: "user", organizationId: owner.caller.organizationId });
    const id = await buildTwin(leaving);
    const bytes = await adapter();
    const begun = (
      await leaving.post(`${base(id)}/files`, { fileName: "voice.gguf", bytes: bytes.length })
    ).json<VoiceUpload>();
    const url = `${base(id)}/files/${begun.id}?offset=0`;
    const headers = { "content-type": "application/octet-stream" };
    expect((await leaving.inject({ method: "PATCH", url, headers, payload: bytes })).statusCode).toBe(200);
    expect(files()).toHaveLength(1);
    const removed = await owner.inject({
      method: "DELETE",
      url: `/api/organizations/${owner.caller.organizationId}/users/${leaving.caller.userId}`,
    });
    expect(removed.statusCode, removed.body).toBeLessThan(300);
    const [twin] = await asTenant(t.services.db, owner.caller, (tx) => tx.select().from(twins).where(eq(twins.id, id)));
    expect(twin!.ownerId).toBe(owner.caller.userId);
    expect(files()).toEqual([]);
    expect((await owner.get(base(id))).json<TwinVoice>().voices).toEqual([]);
  });
});

describe("without a model of this server", () => {
  test("the page says so, uploads are refused, and a voice that is on waits for its model", async () => {
    const voiceId = await sent(await adapter());
    await owner.put(`${base()}/${voiceId}`, { active: true });
    expect(await look()).toMatchObject({ model: "local", baseName: "Кроха 1" });
    await t.services.db.update(localModels).set({ chosen: false });
    await t.services.modelRegistry.refresh();
    expect(await look()).toMatchObject({ model: "none", baseName: null, voices: [{ active: true, fits: false }] });
    const refused = await begin(await adapter({ seed: 2 }));
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toMatch(/только с моделью на этом сервере/);
    expect((await owner.post(`${base()}/measure`, { voiceId })).statusCode).toBe(409);
    await owner.delete(`/api/digital-twins/${twinId}`);
    await chooseTinyModel(t);
  });
});
