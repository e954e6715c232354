/** Uploaded recordings and pictures, from the form to the search results; a local service reads them. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { expireOriginals } from "#server/models/media/expire-originals.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import {
  added,
  annWithTwin,
  finds,
  originalsLyingThere,
  PRICES,
  picture,
  prepareOriginals,
  rowOf,
  service,
  t,
  upload,
  whole,
} from "#server/test/knowledge/originals-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareOriginals();

test("a picture becomes a document with what stands in it, and stays beside it", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  const taken = await added(ann, twinId, file);
  expect(taken).toMatchObject({
    name: "прайс.png",
    status: "processing",
    content: "",
    mime: "image/png",
    tags: ["цены"],
  });
  await t.jobsIdle();
  const document = await whole(ann, taken.id);
  expect(document).toMatchObject({ status: "processed", content: PRICES, length: PRICES.length });
  expect(document.original).toMatchObject({ kind: "picture", state: "done", sure: true, confidence: 0.95, text: "" });
  expect(service.heard).toHaveLength(1);
  expect(await finds(ann, twinId, "сколько стоит чехол")).toEqual([PRICES]);

  const original = await ann.get(`/api/media/${document.original!.id}`);
  expect(original.statusCode).toBe(200);
  expect(original.rawPayload.equals(file.bytes)).toBe(true);
  expect(original.headers["content-type"]).toBe("image/png");
  const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
  expect((await colleague.get(`/api/media/${document.original!.id}`)).statusCode).toBe(200);
  const stranger = await t.signUp();
  expect((await stranger.get(`/api/media/${document.original!.id}`)).statusCode).toBe(404);
});

describe("what was not read surely is read again", () => {
  const again = (client: TestClient, id: string) => client.post(`/api/knowledge/documents/${id}/read`, {});

  test("only by members who may change the twin, where a reader is set, and only documents with a file", async () => {
    const { ann, twinId } = await annWithTwin(["picture"]);
    service.says = { text: "", sure: 0 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    const { organizationId } = ann.caller;
    const member = await t.signUp({ role: "user", organizationId });
    expect((await again(member, id)).statusCode).toBe(403);
    expect((await again(await t.signUp(), id)).statusCode).toBe(404);
    const content = "Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.";
    const typed = await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "А", type: "faq", content });
    expect((await again(ann, typed.json().id)).json().code).toBe("document_without_original");
    await t.services.db.delete(mediaReaders).where(eq(mediaReaders.orgId, organizationId));
    expect((await again(ann, id)).json().code).toBe("media_reading_off");
    expect(await whole(ann, id)).toMatchObject({ status: "failed", original: { state: "done" } });
  });
});

describe("without a reader", () => {
  test("it is said plainly who switches it on and where, and nothing is kept", async () => {
    const { ann, twinId } = await annWithTwin(["speech"]);
    const before = originalsLyingThere();
    const refused = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [picture()]);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      code: "media_reading_off",
      message:
        "Чтение картинок выключено: администратор включает его на странице «Модель» в разделе «Голос и картинки»",
    });
    expect(originalsLyingThere()).toEqual(before);
    expect((await ann.get("/api/knowledge/documents")).json()).toEqual([]);
  });

  test("other files of the same form are taken", async () => {
    const { ann, twinId } = await annWithTwin([]);
    const text = Buffer.from("Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.");
    const files = [picture(), { name: "доставка.txt", bytes: text }];
    const taken = await upload(ann, { digitalTwinId: twinId, type: "faq" }, files);
    expect(taken.json()).toMatchObject([{ status: "failed" }, { status: "processed", name: "доставка.txt" }]);
  });
});

test("where nothing was read the document says why, and accepts a text entered by hand", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "", sure: 0 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const read = await whole(ann, id);
  expect(read).toMatchObject({ status: "failed", content: "", original: { note: "Текста на картинке нет." } });
  const { name, version } = read;
  expect((await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: " " })).statusCode).toBe(400);
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: PRICES });
  expect(put.json()).toMatchObject({ status: "processed" });
});

test("a document that is deleted, alone or with its twin, takes its file; retention of contacts' files does not", async () => {
  const { ann, twinId } = await annWithTwin(["picture"], { keptDays: 1 });
  const [one, two] = [await added(ann, twinId, picture()), await added(ann, twinId, picture())];
  await t.jobsIdle();
  const [first, second] = [(await rowOf(one.id)).storedName!, (await rowOf(two.id)).storedName!];
  await expireOriginals(t.services, Date.now() + 10 * 86_400_000);
  expect(originalsLyingThere()).toEqual(expect.arrayContaining([first, second]));
  expect((await ann.delete(`/api/knowledge/documents/${one.id}`)).statusCode).toBe(204);
  expect(originalsLyingThere()).not.toContain(first);
  expect((await ann.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
  expect(originalsLyingThere()).not.toContain(second);
});
