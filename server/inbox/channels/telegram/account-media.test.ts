/** Media sent to a connected account: the process with its connection fetches it, any process recognises it. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { SentFile } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { resumeMedia } from "#server/inbox/incoming/read-media.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { type ConnectedAccount, inboundOf } from "#server/test/channels/account-bench.ts";
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
import { WAIT } from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";

prepareAccountMedia();

const eventsOf = ({ id }: ConnectedAccount) => inboundOf(t, id);

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
