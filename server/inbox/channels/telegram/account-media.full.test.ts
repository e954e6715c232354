import { expect, test } from "vitest";
import { FAR_DC } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { resumeMedia } from "#server/inbox/incoming/read-media.ts";
import {
  bench,
  connected,
  downloads,
  IVAN,
  prepareAccountMedia,
  rowsOf,
  settled,
  t,
  telegram,
  voice,
} from "#server/test/channels/account-media-bench.ts";
import { drafted, WAIT } from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";

prepareAccountMedia();

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
