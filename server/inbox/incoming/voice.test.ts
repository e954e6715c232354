/** Recordings and pictures from the platform to the answer, with local platform servers, a local recognition service and the real store. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { mediaFiles, mediaRemains } from "#server/platform/db/schema/media.ts";
import { drafted, eventsOf, listedConversations } from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { bot, linesOf, mediaOf, prepareVoice, service, settled, t, voice } from "#server/test/media/voice-bench.ts";
import { readBy } from "#server/test/media-readers.ts";
import { KEY } from "#server/test/servers/recognition-server.ts";
import { watchedSocket } from "#server/test/servers/watched-socket.ts";

prepareVoice();

describe("a recording", () => {
  test("is answered by what is said in it, and stands beside its words in the inbox", async () => {
    const one = await bot();
    const bytes = silentWav(2);
    await one.push(voice(bytes));
    const [draft] = await drafted(one.ann);
    expect(draft).toMatchObject({ question: "Сколько стоит доставка?", reason: "Каждый ответ ждёт вашего одобрения" });
    const [line] = await linesOf(one);
    expect(line).toMatchObject({
      content: "[Голосовое сообщение] Сколько стоит доставка?",
      media: [{ kind: "speech", state: "done", sure: true, hasOriginal: true, text: "Сколько стоит доставка?" }],
    });
    expect(service.heard[0]!.bytes.equals(bytes)).toBe(true);
    const whole = await one.ann.get(`/api/media/${line!.media![0]!.id}`);
    expect(whole.rawPayload.equals(bytes)).toBe(true);
    expect(whole.headers).toMatchObject({
      "content-type": "audio/wav",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    });
  });

  test("is not fetched where no reader is set, and everything is as before", async () => {
    const one = await bot("draft", []);
    await one.push(voice());
    const [draft] = await drafted(one.ann);
    expect(draft).toMatchObject({ question: "[Голосовое сообщение]" });
    const [line] = await linesOf(one);
    expect(line).toMatchObject({ content: "[Голосовое сообщение]" });
    expect(line).not.toHaveProperty("media");
    const [event] = await eventsOf(t, one);
    expect(event!.inbound).not.toHaveProperty("media");
    expect(service.heard).toEqual([]);
  });
});

test("an original is given in parts to whoever may read the conversation, and to nobody else", async () => {
  const one = await bot();
  const bytes = silentWav(2);
  await one.push(voice(bytes));
  await settled(one);
  const [media] = await mediaOf(one);
  const url = `/api/media/${media!.id}`;
  const part = (range: string) => one.ann.inject({ method: "GET", url, headers: { range } });
  const middle = await part("bytes=10-19");
  expect([middle.statusCode, middle.headers["content-range"]]).toEqual([206, `bytes 10-19/${bytes.length}`]);
  expect(middle.rawPayload.equals(bytes.subarray(10, 20))).toBe(true);
  expect((await part("bytes=-5")).rawPayload.equals(bytes.subarray(-5))).toBe(true);
  expect((await part(`bytes=${bytes.length - 3}-`)).rawPayload).toHaveLength(3);
  expect((await part(`bytes=${bytes.length}-`)).statusCode).toBe(416);
  expect((await part("bytes=0-1,5-6")).statusCode).toBe(200);
  expect((await t.anonymous.get(url)).statusCode).toBe(401);
  expect((await (await t.signUp()).get(url)).statusCode).toBe(404);
});

test.each(["conversation", "contact", "twin"] as const)(
  "with its %s an original goes, the file and the words",
  async (what) => {
    const one = await bot();
    service.says.text = "Зяблик живёт на Тверской";
    await one.push(voice());
    await settled(one);
    const [row] = await t.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.orgId, one.ann.caller.organizationId));
    const name = row!.storedName!;
    expect(await t.services.files.size(name)).not.toBeNull();
    const [talk] = await listedConversations(one.ann);
    const address = {
      conversation: `/api/conversations/${talk!.id}`,
      contact: `/api/conversations/${talk!.id}/contact`,
      twin: `/api/digital-twins/${one.twinId}`,
    }[what];
    expect((await one.ann.delete(address)).statusCode).toBe(204);
    expect(await t.services.files.size(name)).toBeNull();
    const { db } = t.services;
    expect(await db.select().from(mediaFiles).where(eq(mediaFiles.id, row!.id))).toEqual([]);
    await cleanUp(t.services);
    expect(await db.select().from(mediaRemains)).toEqual([]);
  },
);

test("where only local models are allowed no connection is opened to a foreign service, and the owner reads why", async () => {
  const foreign = await watchedSocket();
  try {
    const one = await bot("draft", []);
    const { organizationId } = one.ann.caller;
    await readBy({ t, service }, one.ann, "speech", { baseUrl: foreign.baseUrl.replace("127.0.0.1", "localhost") });
    const rule = await one.ann.put(`/api/organizations/${organizationId}/model-rule`, { localOnly: true });
    expect(rule.statusCode, rule.body).toBeLessThan(300);
    const [reader] = (await one.ann.get(`/api/organizations/${organizationId}/media-readers`)).json().readers;
    expect(reader.held).toBe("organization");
    await one.push(voice());
    await drafted(one.ann);
    expect(await mediaOf(one)).toMatchObject([{ state: "failed", note: expect.stringContaining("чужой") }]);
    expect(foreign.connections()).toBe(0);
  } finally {
    foreign.server.close();
  }
});

test("an address in a private network is its operator's to name, and a key does not follow to another address", async () => {
  const ann = await t.signUp();
  const { organizationId } = ann.caller;
  const url = `/api/organizations/${organizationId}/media-readers/speech`;
  const form = { mode: "endpoint", preset: "openai", model: "m", longestSeconds: 60, dailyLimit: 30 };
  const own = await ann.put(url, { ...form, baseUrl: service.baseUrl, apiKey: KEY });
  expect([own.statusCode, own.json().code]).toEqual([400, "private_address"]);
  expect((await ann.put(url, { ...form, baseUrl: "https://a.example/v1", apiKey: KEY })).statusCode).toBe(200);
  const moved = await ann.put(url, { ...form, baseUrl: "https://b.example/v1" });
  expect([moved.statusCode, moved.json().code]).toEqual([400, "key_needed"]);
  const again = await ann.put(url, { ...form, baseUrl: "https://a.example/v1", model: "n" });
  expect(again.json()).toMatchObject({ endpoint: { hasKey: true, model: "n" } });
  expect(again.body).not.toContain(KEY);
  const user = await t.signUp({ role: "user", organizationId });
  expect((await user.put(url, { ...form, mode: "off" })).statusCode).toBe(403);
  expect((await ann.put(url, { ...form, mode: "local" })).json().code).toBe("media_not_installed");
});
