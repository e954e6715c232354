/**
 * Recordings and pictures of platforms without another such test: fetched from a local server, recognised, shown, exported, and deleted
 * with their conversation.
 */
import { describe, expect, test } from "vitest";
import { drafted } from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { linesOf, platforms, preparePlatforms, sender, service, settled } from "#server/test/media/platforms-bench.ts";

preparePlatforms();

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(platforms)("in %s", (platform) => {
  test("a recording is answered by what is said in it, a picture by what stands in it, and both originals are there", async () => {
    const one = await sender(platform);
    const { ann } = one.connected;
    const bytes = silentWav(2);
    one.voice(bytes);
    const [draft] = await drafted(ann);
    expect(draft).toMatchObject({ question: "Сколько стоит доставка?" });
    service.says = { text: "Чек № 5: 1 200 ₽", sure: 0.9 };
    one.picture(PIXEL, "Это верно?");
    const [said, seen] = await settled(one, 2);
    expect((await linesOf(one)).filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
      `[${one.names.voice}] Сколько стоит доставка?`,
      expect.stringMatching(new RegExp(`^\\[${one.names.picture}\\] Чек № 5: 1 200 ₽ .*Это верно\\?$`, "s")),
    ]);
    expect(said).toMatchObject({ kind: "speech", sure: true, hasOriginal: true });
    expect((await ann.get(`/api/media/${said!.id}`)).rawPayload.equals(bytes)).toBe(true);
    expect((await ann.get(`/api/media/${seen!.id}`)).rawPayload.equals(PIXEL)).toBe(true);
    expect(service.heard.map((heard) => heard.bytes.length)).toEqual([bytes.length, PIXEL.length]);
  });
});

describe.each(["vk", "max"])("what %s has transcribed on its own", (platform) => {
  test("is answered at once without another reader, and the original stands beside it", async () => {
    const one = await sender(platform);
    const { ann } = one.connected;
    const bytes = silentWav(1);
    one.heard!(bytes, "Когда вы открыты?");
    expect((await drafted(ann))[0]).toMatchObject({ question: "Когда вы открыты?" });
    const [media] = await settled(one);
    expect(media).toMatchObject({ state: "done", text: "Когда вы открыты?", sure: true, hasOriginal: true });
    expect((await ann.get(`/api/media/${media!.id}`)).rawPayload.equals(bytes)).toBe(true);
    expect((await linesOf(one))[0]!.content).toBe("[Голосовое сообщение] Когда вы открыты?");
    expect(service.heard).toEqual([]);
  });
});
