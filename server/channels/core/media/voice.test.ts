/** Recordings and pictures from the platform to the answer: through the channels' local servers, a local service that recognises, and the real store. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import type { MediaKind } from "#contract/models/media-readers.ts";
import { cleanUp } from "#server/cleanup.ts";
import { mediaFiles, mediaReaders, mediaRemains } from "#server/db/schema.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  type Connected,
  connectTwin,
  drafted,
  eventsOf,
  listedConversations,
  rowsOf,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { NO_SPEECH, silentWav, speech } from "#server/test/files/recordings.ts";
import { readBy } from "#server/test/media-readers.ts";
import { answer } from "#server/test/servers/provider-server.ts";
import { KEY, type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { watchedSocket } from "#server/test/servers/watched-socket.ts";
import {
  startWhatsappServer,
  type WhatsappServer,
  whatsappDelivery,
  whatsappMessage,
  whatsappSignature,
} from "#server/test/servers/whatsapp-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../../receiving/supervisor.ts";
import { resumeMedia } from "./read-media.ts";

let telegram: TelegramServer;
let meta: WhatsappServer;
let service: RecognitionServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  telegram = await startTelegramServer();
  meta = await startWhatsappServer();
  service = await startRecognitionServer();
  t = await testApp({
    ...{ telegramApiRoot: telegram.root, whatsappGraphUrl: meta.root, publicUrl: "https://twins.example" },
    localModelHosts: ["127.0.0.1"],
  });
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  await t.close();
  await service.close();
  await meta.close();
  await telegram.close();
});
beforeEach(() => {
  service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
  service.heard.length = 0;
  service.next.length = 0;
});

let bots = 500;
let people = 50_000;

interface Bot extends Connected {
  token: string;
  ivan: number;
  /** Sends an update as Telegram's servers do, to the address that the bot has announced. */
  push(more: Record<string, unknown>): Promise<void>;
}

async function bot(autonomy: Autonomy = "draft", kinds: readonly MediaKind[] = ["speech", "picture"]): Promise<Bot> {
  const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
  const connected = await connectTwin(t, { platform: "telegram", apiKey: token }, autonomy);
  for (const kind of kinds) await readBy({ t, service }, connected.ann, kind);
  await expect.poll(() => telegram.webhooks.has(token), WAIT).toBe(true);
  const { url, secret } = telegram.webhooks.get(token)!;
  const ivan = ++people;
  const push = async (more: Record<string, unknown>) => {
    const { text: _none, ...message } = telegram.privateMessage(ivan, "", more).message as Record<string, unknown>;
    const payload = { update_id: ++bots * 1000, message: "text" in more ? { ...message, text: more.text } : message };
    const headers = { "x-telegram-bot-api-secret-token": secret };
    const taken = await t.anonymous.inject({ method: "POST", url: new URL(url).pathname, payload, headers });
    expect(taken.statusCode).toBe(200);
  };
  return { ...connected, token, ivan, push };
}

let files = 0;
function voice(bytes = silentWav(2), seconds = 2): Record<string, unknown> {
  const file_id = `file-${++files}`;
  telegram.kept.set(file_id, bytes);
  return {
    voice: { file_id, file_unique_id: file_id, duration: seconds, mime_type: "audio/ogg", file_size: bytes.length },
  };
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
function photo(bytes = PIXEL): Record<string, unknown> {
  const file_id = `file-${++files}`;
  telegram.kept.set(file_id, bytes);
  const small = { file_id: "small", file_unique_id: "small", width: 9, height: 9 };
  return { photo: [small, { file_id, file_unique_id: file_id, width: 90, height: 90, file_size: bytes.length }] };
}

async function linesOf({ ann }: Connected): Promise<ChatMessage[]> {
  const [talk] = await listedConversations(ann);
  return talk === undefined ? [] : transcript(ann, talk.id);
}
const mediaOf = async (connected: Connected) => (await linesOf(connected)).flatMap(({ media }) => media ?? []);
/** Every message that came is in its conversation, and all that it held is read or given up. */
const settled = (connected: Connected) =>
  expect
    .poll(async () => (await mediaOf(connected)).map(({ state }) => state === "waiting"), WAIT)
    .toSatisfy((waiting: boolean[]) => waiting.length > 0 && !waiting.includes(true));
const sentTo = (chat: number) => telegram.sent.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text);

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

  test("is shown as being read until it is, and the twin waits for it with what came after", async () => {
    holdBursts();
    const one = await bot();
    let reading: (() => void) | null = null;
    service.next.push((response) => {
      reading = () => answer(response, 200, { text: "Сколько стоит доставка?", duration: 2 });
    });
    await one.push(voice());
    await expect.poll(async () => (await mediaOf(one))[0]?.state, WAIT).toBe("waiting");
    await one.push({ text: "И когда привезёте?" });
    await expect.poll(async () => (await linesOf(one)).length, WAIT).toBe(2);
    await expect.poll(() => reading !== null, WAIT).toBe(true);
    expect(await rowsOf(t, one)).toEqual([]);
    reading!();
    const [draft] = await drafted(one.ann);
    expect(draft!.question).toBe("Сколько стоит доставка?\nИ когда привезёте?");
    expect((await eventsOf(t, one)).map(({ status }) => status)).toEqual(["done", "done"]);
  });

  test("that is read unsurely is asked for in writing once by a twin that answers by itself, and then is its owner's", async () => {
    const one = await bot("auto");
    service.says.sure = 0.3;
    await one.push(voice());
    await expect.poll(() => sentTo(one.ivan).length, WAIT).toBe(1);
    expect(sentTo(one.ivan)[0]).toMatch(/Напишите, пожалуйста, то же самое текстом/);
    expect(await mediaOf(one)).toMatchObject([{ sure: false, confidence: expect.closeTo(0.3) }]);
    await one.push(voice());
    const [draft] = await drafted(one.ann);
    expect(draft!.reason).toBe("Вложение распознано неуверенно: проверьте сами");
    expect(sentTo(one.ivan)).toHaveLength(1);
  });

  test("goes to the owner where the twin only answers what it is sure of", async () => {
    const one = await bot("confident");
    service.says.sure = 0.3;
    await one.push(voice());
    expect((await drafted(one.ann))[0]!.reason).toBe("Вложение распознано неуверенно: проверьте сами");
  });

  test("is not fetched where nobody reads any, and everything is as it was", async () => {
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

  test.each([
    [
      "that Telegram has forgotten",
      () => ({ voice: { file_id: "lost", file_unique_id: "l", duration: 2 } }),
      /не отдаёт/,
    ],
    ["that is longer than is read", () => voice(silentWav(70), 70), /длиннее/],
    ["that is no recording at all", () => voice(Buffer.from("<html><script>alert(1)</script></html>")), /не запись/],
    ["of more than 20 MB", () => voice(Buffer.alloc(21 * 1024 ** 2)), /больше 20 МБ/],
  ])("%s is told to the owner with the reason, and waits for nobody", async (_which, made, note) => {
    const one = await bot();
    await one.push(made());
    const [draft] = await drafted(one.ann);
    expect(draft!.question).toBe("[Голосовое сообщение]");
    expect(await mediaOf(one)).toMatchObject([{ state: "failed", note: expect.stringMatching(note), sure: false }]);
  });

  test("is tried again while the service is busy, and read once it is not", async () => {
    const one = await bot();
    service.next.push((response) => answer(response, 429, {}));
    await one.push(voice());
    await settled(one);
    expect(await mediaOf(one)).toMatchObject([{ state: "done" }]);
    expect(await drafted(one.ann)).toHaveLength(1);
  });

  test("is read while the day's minutes last, and the next day begins anew", async () => {
    const one = await bot();
    await readBy({ t, service }, one.ann, "speech", { dailyLimit: 1 });
    await one.push(voice(silentWav(50), 50));
    await settled(one);
    await one.push(voice(silentWav(20), 20));
    await expect.poll(async () => (await mediaOf(one)).map(({ state }) => state), WAIT).toEqual(["done", "failed"]);
    expect((await mediaOf(one))[1]!.note).toBe("Минуты распознавания на сегодня закончились.");
    const { organizationId } = one.ann.caller;
    const listed = await one.ann.get(`/api/organizations/${organizationId}/media-readers`);
    expect(listed.json().readers[0]).toMatchObject({ usedToday: 1, dailyLimit: 1 });
    await t.services.db.update(mediaReaders).set({ day: "2020-01-01" }).where(eq(mediaReaders.orgId, organizationId));
    await one.push(voice(silentWav(20), 20));
    await expect.poll(async () => (await mediaOf(one))[2]?.state, WAIT).toBe("done");
  });

  test.skipIf(NO_SPEECH !== null)(
    `of spoken Russian in Opus comes whole through WhatsApp${NO_SPEECH ?? ""}`,
    async () => {
      const { ogg } = speech("Сколько стоит доставка в Казань?");
      meta.kept.set("778899001", ogg);
      const fields = { platform: "whatsapp", apiKey: "EAA-77", phoneNumber: "8 (999) 000-00-77" };
      const wa = await connectTwin(t, { ...fields, settings: { app_secret: "secret-of-an-app" } });
      await readBy({ t, service }, wa.ann, "speech");
      const { text: _none, ...sound } = whatsappMessage("79991112277", "wamid.voice", "");
      const message = {
        ...sound,
        type: "audio",
        audio: { id: "778899001", voice: true, mime_type: "audio/ogg; codecs=opus" },
      };
      const payload = JSON.stringify(whatsappDelivery("10555077", { messages: [message] }));
      const headers = { "content-type": "application/json", ...whatsappSignature(payload, "secret-of-an-app") };
      const url = new URL(wa.integration.webhook!.url).pathname;
      for (const _again of [1, 2]) {
        expect((await t.anonymous.inject({ method: "POST", url, payload, headers })).statusCode).toBe(200);
      }
      expect((await drafted(wa.ann))[0]!.question).toBe("Сколько стоит доставка?");
      expect(service.heard).toHaveLength(1);
      expect(service.heard[0]!.bytes.equals(ogg)).toBe(true);
      const [media] = await mediaOf(wa);
      expect(media!.seconds).toBeGreaterThan(1);
    },
  );
});

test("a picture's words stand behind its name, with what was written to it", async () => {
  const one = await bot();
  service.says = { text: "Чек № 5: 1 200 ₽", sure: 0.9 };
  await one.push({ ...photo(), caption: "Это верно?" });
  expect((await drafted(one.ann))[0]!.question).toBe("[Фото] Чек № 5: 1 200 ₽ Это верно?");
  const [media] = await mediaOf(one);
  expect((await one.ann.get(`/api/media/${media!.id}`)).headers["content-type"]).toBe("image/png");
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

test("an original goes when its time is over, and its words stay", async () => {
  const one = await bot();
  await readBy({ t, service }, one.ann, "speech", { keptDays: 7 });
  await one.push(voice());
  await settled(one);
  const [row] = await t.services.db
    .select()
    .from(mediaFiles)
    .where(eq(mediaFiles.orgId, one.ann.caller.organizationId));
  await cleanUp(t.services, Date.now() + 6 * 24 * 3600_000);
  expect(await t.services.files.size(row!.storedName!)).not.toBeNull();
  await cleanUp(t.services, Date.now() + 8 * 24 * 3600_000);
  expect(await t.services.files.size(row!.storedName!)).toBeNull();
  // The session has had its time as well.
  const [left] = await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, row!.id));
  expect(left).toMatchObject({ storedName: null, storedAt: null, text: "Сколько стоит доставка?" });
});

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

test("what waits without a job is taken up again", async () => {
  const one = await bot();
  await one.push(voice());
  await settled(one);
  const { db } = t.services;
  const [row] = await db.select().from(mediaFiles).where(eq(mediaFiles.orgId, one.ann.caller.organizationId));
  await db.update(mediaFiles).set({ state: "waiting", text: "" }).where(eq(mediaFiles.id, row!.id));
  await resumeMedia(t.services);
  await t.jobsIdle();
  expect(await mediaOf(one)).toMatchObject([{ state: "waiting" }]);
  await resumeMedia(t.services, Date.now() + 3600_000);
  await settled(one);
  expect(await mediaOf(one)).toMatchObject([{ state: "done", text: "Сколько стоит доставка?" }]);
});
