/** What contacts send to a connected account: fetched over its own connection by the process that has it, read by whichever has time. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MessageMedia } from "#contract/media.ts";
import { MEDIA_KINDS } from "#contract/media-kinds.ts";
import {
  FAR_DC,
  type SentFile,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { integrations, mediaFiles } from "#server/db/schema.ts";
import {
  type AccountBench,
  accountBench,
  type ConnectedAccount,
  inboundOf,
} from "#server/test/channels/account-bench.ts";
import { drafted, listedConversations, transcript, WAIT } from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { readBy } from "#server/test/media-readers.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import type { TestApp } from "#server/test/test-app.ts";
import { resumeMedia } from "../core/media/read-media.ts";

const IVAN = 501;
let bench: AccountBench;
let t: TestApp;
let telegram: TelegramAccountServer;
let service: RecognitionServer;
beforeAll(async () => {
  service = await startRecognitionServer();
  bench = await accountBench({ localModelHosts: ["127.0.0.1"] });
  ({ t, telegram } = bench);
});
afterAll(async () => {
  await bench.close();
  await service.close();
});
beforeEach(() => {
  service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
  service.heard.length = 0;
  telegram.calls.length = 0;
});

const voice = (bytes: Uint8Array, more: Partial<SentFile> = {}): SentFile => ({ as: "voice", bytes, ...more });
const downloads = () => telegram.calls.filter((call) => call === "upload.getFile").length;

async function connected(): Promise<ConnectedAccount> {
  const one = await bench.connect((account) => telegram.addDialog(account, IVAN, "Иван", ["привет"]));
  for (const kind of MEDIA_KINDS) await readBy({ t, service }, one.ann, kind, { keptDays: 7 });
  await listening(one);
  return one;
}

async function listening({ id }: ConnectedAccount): Promise<void> {
  await bench.look();
  const cursor = async () =>
    (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!.cursor;
  await expect.poll(async () => "pts" in (await cursor()), WAIT).toBe(true);
}

async function mediaOf({ ann }: ConnectedAccount): Promise<MessageMedia[]> {
  const [talk] = await listedConversations(ann);
  const lines = talk === undefined ? [] : await transcript(ann, talk.id);
  return lines.flatMap(({ media }) => media ?? []);
}
async function settled(one: ConnectedAccount, count = 1): Promise<MessageMedia[]> {
  const ended = async () => (await mediaOf(one)).filter(({ state }) => state !== "waiting").length;
  await expect.poll(ended, WAIT).toBe(count);
  return mediaOf(one);
}
const rowsOf = ({ ann }: ConnectedAccount) =>
  t.services.db.select().from(mediaFiles).where(eq(mediaFiles.orgId, ann.caller.organizationId));
const eventsOf = ({ id }: ConnectedAccount) => inboundOf(t, id);

test("a long recording that lies in another data centre arrives whole, part by part", async () => {
  const one = await connected();
  const bytes = silentWav(40);
  expect(bytes.length).toBeGreaterThan(512 * 1024);
  telegram.sendFile(one.account, IVAN, voice(bytes, { dcId: FAR_DC, seconds: 40 }));
  expect((await drafted(one.ann))[0]).toMatchObject({ question: "Сколько стоит доставка?" });
  const [media] = await settled(one);
  expect(media).toMatchObject({ state: "done", sure: true, hasOriginal: true, seconds: 40 });
  expect((await one.ann.get(`/api/media/${media!.id}`)).rawPayload.equals(bytes)).toBe(true);
  expect(telegram.calls).toContain("auth.importAuthorization");
  expect(downloads()).toBeGreaterThanOrEqual(2);
});

test("Telegram's wait is kept to and costs no attempt; its failures are tried again", async () => {
  const one = await connected();
  telegram.fail("upload.getFile", "FLOOD_WAIT_1", "TIMEOUT");
  telegram.sendFile(one.account, IVAN, voice(silentWav(1)));
  expect(await settled(one)).toMatchObject([{ state: "done", text: "Сколько стоит доставка?" }]);
  expect(downloads()).toBe(3);
});

test("a message that was deleted meanwhile loses its file, and what is too large is not fetched", async () => {
  const one = await connected();
  const release = telegram.hold("messages.getMessages");
  const id = telegram.sendFile(one.account, IVAN, voice(silentWav(1)));
  await expect.poll(() => telegram.calls, WAIT).toContain("messages.getMessages");
  telegram.unsay(one.account, id);
  release();
  expect(await settled(one)).toMatchObject([
    { state: "failed", note: "Telegram больше не отдаёт этот файл.", hasOriginal: false },
  ]);
  telegram.sendFile(one.account, IVAN, { as: "audio", bytes: Buffer.alloc(20 * 1024 ** 2 + 1) });
  expect((await settled(one, 2))[1]).toMatchObject({ note: "Файл больше 20 МБ: такие не загружаются." });
  expect(downloads()).toBe(0);
});

test("of what is sent only recordings and pictures are fetched, and nothing that may be seen once", async () => {
  const one = await connected();
  const sent: SentFile[] = [
    { as: "file", bytes: Buffer.from("договор"), mime: "application/pdf" },
    { as: "sticker", bytes: Buffer.from("webp") },
    { as: "photo", bytes: Buffer.from("снимок"), ttlSeconds: 10 },
    voice(silentWav(1), { ttlSeconds: 2 ** 31 - 1 }),
    { as: "file", bytes: Buffer.alloc(5), mime: "image/png", caption: "Вот чек" },
    { as: "file", bytes: Buffer.alloc(6), mime: "audio/mp4" },
  ];
  for (const file of sent) telegram.sendFile(one.account, IVAN, file);
  await expect.poll(async () => (await eventsOf(one)).length, WAIT).toBe(sent.length);
  const events = await eventsOf(one);
  expect(events.map(({ attachments }) => attachments[0])).toEqual([
    ...["Файл", "Стикер", "Фото", "Голосовое сообщение", "Файл", "Файл"],
  ]);
  expect(events.map(({ media }) => media?.map(({ kind, bytes }) => [kind, bytes]))).toEqual([
    ...[undefined, undefined, undefined, undefined],
    [["picture", 5]],
    [["speech", 6]],
  ]);
  await settled(one, 2);
  expect(downloads()).toBe(2);
});

test("a process that does not have the connection leaves the file to the one that has, and counts nothing", async () => {
  const one = await connected();
  const release = telegram.hold("upload.getFile");
  telegram.sendFile(one.account, IVAN, voice(silentWav(1)));
  await expect.poll(downloads, WAIT).toBe(1);
  await bench.stopReceiving();
  release();
  await t.jobsIdle();
  await resumeMedia(t.services, Date.now() + 3600_000);
  await t.jobsIdle();
  expect(await rowsOf(one)).toMatchObject([{ state: "waiting", attempts: 0, storedName: null }]);
  expect(downloads()).toBe(1);
  bench.startReceiving();
  expect(await settled(one)).toMatchObject([{ state: "done", hasOriginal: true }]);
  expect(downloads()).toBe(2);
  expect(await drafted(one.ann)).toHaveLength(1);
});

test("where an account stays switched off, its message is answered without the file", async () => {
  const one = await connected();
  const release = telegram.hold("upload.getFile");
  telegram.sendFile(one.account, IVAN, voice(silentWav(1)));
  await expect.poll(downloads, WAIT).toBe(1);
  await one.ann.put(`/api/integrations/${one.id}`, { status: "inactive" });
  await bench.look();
  release();
  await t.jobsIdle();
  expect(await rowsOf(one)).toMatchObject([{ state: "waiting" }]);
  const { organizationId } = one.ann.caller;
  const long = new Date(Date.now() - 3600_000);
  await t.services.db.update(mediaFiles).set({ createdAt: long }).where(eq(mediaFiles.orgId, organizationId));
  await resumeMedia(t.services);
  await t.jobsIdle();
  expect(await rowsOf(one)).toMatchObject([{ state: "failed", note: "Аккаунт отключён, файл остался на платформе." }]);
});
