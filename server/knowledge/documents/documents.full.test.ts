/** Documents that crash their reader, and a twin without documents. */
import { describe, expect, test } from "vitest";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { bombInPage } from "#server/test/files/hostile-documents.ts";
import { DELIVERY, document, form, prepareDocuments, t } from "#server/test/knowledge/documents-bench.ts";

prepareDocuments();

test("a twin whose last document is deleted knows nothing and is in training again", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const { id } = (await ann.post("/api/knowledge/upload", document(twinId))).json();
  await t.jobsIdle();
  expect((await ann.delete(`/api/knowledge/documents/${id}`)).statusCode).toBe(204);
  await t.jobsIdle();
  expect((await ann.get(`/api/digital-twins/${twinId}`)).json().status).toBe("training");
  expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toMatchObject({
    chunks: 0,
    running: false,
  });
  const found = await ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("доставка")}`);
  expect(found.json()).toEqual([]);
});

describe("uploaded files", () => {
  test("a document that crashes its reader fails alone with a message, among others of one upload", async () => {
    const client = await t.signUp();
    const twinId = await buildTwin(client);
    const files = [
      { name: "бомба.pdf", bytes: bombInPage() },
      { name: "доставка.txt", bytes: DELIVERY },
    ];
    const before = process.memoryUsage().rss;
    const answer = await client.inject(form({ digitalTwinId: twinId, type: "faq" }, files));
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject([
      { name: "бомба.pdf", status: "failed", error: expect.stringContaining("слишком сложный") },
      { name: "доставка.txt", status: "processed" },
    ]);
  });
});
