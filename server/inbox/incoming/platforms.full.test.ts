import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { mediaFiles, mediaRemains } from "#server/platform/db/schema/media.ts";
import { drafted, listedConversations } from "#server/test/channels/channel-journey.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { mediaOf, platforms, preparePlatforms, sender, settled, t } from "#server/test/media/platforms-bench.ts";

preparePlatforms();

describe.each(platforms)("in %s", (platform) => {
  test("an original that is missing or invalid on the platform is reported to the owner", async () => {
    const one = await sender(platform);
    one.voice(Buffer.from("<html><script>alert(1)</script></html>"));
    expect(await settled(one)).toMatchObject([{ state: "failed", note: expect.stringMatching(/не запись/) }]);
  });

  test("without a reader nothing is fetched and nothing is kept", async () => {
    const one = await sender(platform, []);
    one.voice(silentWav(1));
    expect((await drafted(one.connected.ann))[0]).toMatchObject({ question: `[${one.names.voice}]` });
    const { organizationId } = one.connected.ann.caller;
    const rows = await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.orgId, organizationId));
    const events = await t.services.db.select().from(inboxEvents).where(eq(inboxEvents.orgId, organizationId));
    const stored = events.map(({ inbound }) => "media" in (inbound as object));
    expect([rows, stored, one.fetched?.() ?? 0]).toEqual([[], [false], 0]);
  });

  test("an original goes out with an export; with its contact the file and its words are gone, and without him when its time is over", async () => {
    const one = await sender(platform);
    const { ann } = one.connected;
    one.voice(silentWav(1));
    const [media] = await settled(one);
    const row = async () => (await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, media!.id)))[0];
    const name = (await row())!.storedName!;
    await ann.post("/api/account/export");
    await t.jobsIdle();
    const files = await readZip((await ann.get("/api/account/export/file")).rawPayload);
    expect(files.get(`Вложения/${media!.id}.wav`)?.equals(silentWav(1))).toBe(true);
    const [talk] = await listedConversations(ann);
    expect((await ann.delete(`/api/conversations/${talk!.id}/contact`)).statusCode).toBe(204);
    expect([await row(), await t.services.files.size(name)]).toEqual([undefined, null]);
    expect(await t.services.db.select().from(mediaRemains)).toEqual([]);

    const other = await sender(platform);
    other.voice(silentWav(1));
    const [kept] = await settled(other);
    await cleanUp(t.services, Date.now() + 8 * 24 * 3600_000);
    const [left] = await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, kept!.id));
    expect(left).toMatchObject({ storedName: null, text: "Сколько стоит доставка?" });
  });
});

describe.each(["vk", "max"])("what %s has transcribed on its own", (platform) => {
  test("stays where the original is lost, and where no reader is set for recordings", async () => {
    const one = await sender(platform);
    one.heard!(null, "Когда вы открыты?");
    expect(await settled(one)).toMatchObject([{ state: "done", text: "Когда вы открыты?", hasOriginal: false }]);
    const other = await sender(platform, []);
    other.heard!(silentWav(1), "Когда вы открыты?");
    expect((await drafted(other.connected.ann))[0]!.question).toBe("[Голосовое сообщение] Когда вы открыты?");
    expect(await mediaOf(other)).toEqual([]);
  });
});
