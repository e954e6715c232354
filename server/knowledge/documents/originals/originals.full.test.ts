/** Originals that are read again, late or with low confidence. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import {
  added,
  annWithTwin,
  finds,
  originalsLyingThere,
  PIXEL,
  PRICES,
  picture,
  prepareOriginals,
  rowOf,
  service,
  t,
  upload,
  whole,
} from "#server/test/knowledge/originals-bench.ts";
import { answer } from "#server/test/servers/provider-server.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { resumeOriginals } from "../read-original.ts";

prepareOriginals();

test("a recording becomes a document with what is said in it", async () => {
  const { ann, twinId } = await annWithTwin();
  const { id } = await added(ann, twinId, { name: "заметка.wav", bytes: silentWav(2) });
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES, mime: "audio/wav" });
  expect((await whole(ann, id)).original).toMatchObject({ kind: "speech", seconds: 2 });
});

test("the twin knows nothing of unreliably recognised text until a member has checked it", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "Чехол 120O", sure: 0.3 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const read = await whole(ann, id);
  expect(read).toMatchObject({ status: "unsure", content: "Чехол 120O", original: { sure: false } });
  expect(await finds(ann, twinId, "чехол")).toEqual([]);
  const { name, version } = read;
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: PRICES });
  expect(put.statusCode, put.body).toBe(200);
  expect(put.json()).toMatchObject({ status: "processed", content: PRICES });
  await t.jobsIdle();
  expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
});

test("what was read unsurely but rightly is taken as it stands", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: PRICES, sure: 0.3 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const { name, version, content } = await whole(ann, id);
  expect((await ann.put(`/api/knowledge/documents/${id}`, { name, version, content })).json()).toMatchObject({
    status: "processed",
  });
  await t.jobsIdle();
  expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
});

describe("what was not read surely is read again", () => {
  const again = (client: TestClient, id: string) => client.post(`/api/knowledge/documents/${id}/read`, {});

  test("what is read more surely this time takes the place of what was doubtful, and the twin knows it", async () => {
    const { ann, twinId } = await annWithTwin();
    service.says = { text: "Чехол 120O", sure: 0.3 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    service.says = { text: PRICES, sure: 0.9 };
    const begun = await again(ann, id);
    expect(begun.statusCode, begun.body).toBe(200);
    expect(begun.json()).toMatchObject({ status: "processing", original: { state: "waiting" } });
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES, original: { sure: true } });
    expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
    expect((await again(ann, id)).json()).toMatchObject({ code: "document_changed" });
  });

  test("what fails this time, or is no surer, leaves the former text and says so", async () => {
    const { ann, twinId } = await annWithTwin(["picture"], { dailyLimit: 2 });
    service.says = { text: "Чехол 120O", sure: 0.3 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    const stays = { status: "unsure", content: "Чехол 120O" };
    service.says = { text: "Чехо1", sure: 0.1 };
    await again(ann, id);
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({
      ...stays,
      original: { confidence: 0.3, note: "Увереннее прочитать не вышло." },
    });
    await again(ann, id);
    await t.jobsIdle();
    const spent = "Картинки, которые распознаются за день, на сегодня закончились.";
    expect(await whole(ann, id)).toMatchObject({ ...stays, original: { state: "done", note: spent } });
    expect(service.heard).toHaveLength(2);
  });

  test("one of which nothing was read is read like a new one, one at a time", async () => {
    const { ann, twinId } = await annWithTwin();
    service.says = { text: "", sure: 0 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    expect((await whole(ann, id)).status).toBe("failed");
    service.says = { text: PRICES, sure: 0.9 };
    service.silent = true;
    const both = await Promise.all([again(ann, id), again(ann, id)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe("document_reading");
    service.silent = false;
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
  });
});

test("the text of a typed document keeps its least length when it is changed", async () => {
  const { ann, twinId } = await annWithTwin([]);
  const content = "Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.";
  const typed = await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "А", type: "faq", content });
  const { id, version } = typed.json();
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name: "А", version, content: "Коротко" });
  expect(put.statusCode).toBe(400);
  expect(put.json().fields).toEqual({ content: "Содержимое должно быть минимум 50 символов" });
});

test("a file that was refused leaves nothing in the store: twice the same, a wrong form, a name of a text, a stranger's twin", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  await added(ann, twinId, file);
  const before = originalsLyingThere();
  const again = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [file]);
  expect([again.statusCode, again.json().code]).toEqual([409, "document_exists"]);
  expect((await upload(ann, { digitalTwinId: twinId, type: "роман" }, [picture()])).statusCode).toBe(400);
  const named = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [picture("прайс.txt")]);
  expect([named.statusCode, named.json().code]).toEqual([415, "document_type_mismatch"]);
  const { twinId: foreign } = await annWithTwin([]);
  expect((await upload(ann, { digitalTwinId: foreign, type: "faq" }, [picture()])).statusCode).toBe(404);
  const heic = { name: "фото.heic", bytes: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic") };
  expect((await upload(ann, { digitalTwinId: twinId, type: "faq" }, [heic])).statusCode).toBe(415);
  const huge = { name: "фото.png", bytes: Buffer.concat([PIXEL, Buffer.alloc(20 * 1024 ** 2)]) };
  expect((await upload(ann, { digitalTwinId: twinId, type: "faq" }, [huge])).statusCode).toBe(413);
  expect(originalsLyingThere()).toEqual(before);
});

test("what goes beyond the day's limit is not read, and says so", async () => {
  const { ann, twinId } = await annWithTwin(["picture"], { dailyLimit: 1 });
  await added(ann, twinId, picture());
  await t.jobsIdle();
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({
    status: "failed",
    original: { state: "failed", note: "Картинки, которые распознаются за день, на сегодня закончились." },
  });
  expect(service.heard).toHaveLength(1);
});

test("a service that is away for a moment is asked again", async () => {
  const { ann, twinId } = await annWithTwin();
  service.next.push((response) => answer(response, 503, { error: { message: "busy" } }));
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
});

test("one whose job was lost is read all the same", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "", sure: 0 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const { id: mediaId } = await rowOf(id);
  await t.services.db.update(mediaFiles).set({ state: "waiting" }).where(eq(mediaFiles.id, mediaId));
  service.says = { text: PRICES, sure: 0.9 };
  await resumeOriginals(t.services);
  await t.jobsIdle();
  expect((await rowOf(id)).state).toBe("waiting");
  await resumeOriginals(t.services, Date.now() + 3600_000);
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
});

test("an original counts to the organisation's space", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  await added(ann, twinId, file);
  const { organizationId } = ann.caller;
  const storage = await ann.get(`/api/organizations/${organizationId}/storage`);
  expect(storage.json()).toMatchObject({ mediaBytes: file.bytes.length });
});
