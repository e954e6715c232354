import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import { connectTwin, drafted, eventsOf, rowsOf, WAIT } from "#server/test/channels/channel-journey.ts";
import { NO_SPEECH, silentWav, speech } from "#server/test/files/recordings.ts";
import {
  bot,
  linesOf,
  mediaOf,
  meta,
  newFile,
  prepareVoice,
  service,
  settled,
  t,
  telegram,
  voice,
} from "#server/test/media/voice-bench.ts";
import { readBy } from "#server/test/media-readers.ts";
import { answer } from "#server/test/servers/provider-server.ts";
import { whatsappDelivery, whatsappMessage, whatsappSignature } from "#server/test/servers/whatsapp-server.ts";
import { resumeMedia } from "./read-media.ts";

prepareVoice();

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
function photo(bytes = PIXEL): Record<string, unknown> {
  const file_id = `file-${newFile()}`;
  telegram.kept.set(file_id, bytes);
  const small = { file_id: "small", file_unique_id: "small", width: 9, height: 9 };
  return { photo: [small, { file_id, file_unique_id: file_id, width: 90, height: 90, file_size: bytes.length }] };
}
const sentTo = (chat: number) => telegram.sent.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text);

describe("a recording", () => {
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

  test("that is recognised unreliably makes an automatic twin ask once for text, and then waits for its owner", async () => {
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

  test.each([
    [
      "that Telegram has forgotten",
      () => ({ voice: { file_id: "lost", file_unique_id: "l", duration: 2 } }),
      /не отдаёт/,
    ],
    ["that is longer than is read", () => voice(silentWav(70), 70), /длиннее/],
    ["that is no recording at all", () => voice(Buffer.from("<html><script>alert(1)</script></html>")), /не запись/],
    ["of more than 20 MB", () => voice(Buffer.alloc(21 * 1024 ** 2)), /больше 20 МБ/],
  ])("%s is reported to the owner with the reason, and delays no answer", async (_which, made, note) => {
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
  // The session has expired as well.
  const [left] = await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, row!.id));
  expect(left).toMatchObject({ storedName: null, storedAt: null, text: "Сколько стоит доставка?" });
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
