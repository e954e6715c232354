import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalModel } from "#contract/models/local-models.ts";
import { ggufWith, type ModelDesk, openModelDesk } from "#server/test/models/model-desk.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";
import { partPath } from "../model-rows.ts";

let desk: ModelDesk;
let t: TestApp;
let chief: TestClient;
let chat: Buffer;
let reader: Buffer;
beforeAll(async () => {
  desk = await openModelDesk();
  ({ t, chief, chat, reader } = desk);
});
afterAll(() => desk.close());

const piece = (id: string, offset: number, payload: Buffer) =>
  chief.inject({
    method: "PATCH",
    url: `/api/admin/model-files/${id}?offset=${offset}`,
    headers: { "content-type": "application/octet-stream" },
    payload,
  });
const begin = async (fileName: string, bytes: number) =>
  (await chief.post("/api/admin/model-files", { fileName, bytes })).json<LocalModel>();

test("an uploaded file comes in pieces, continues where it stopped, and is recognised by its head", async () => {
  const { id } = await begin("../../etc/bge-m3.gguf", reader.length);
  expect((await piece(id, 0, reader.subarray(0, 1000))).json()).toMatchObject({ state: "uploading", received: 1000 });
  expect((await begin("C:\\models\\bge-m3.gguf", reader.length)).id).toBe(id);
  expect((await piece(id, 5, reader)).json()).toMatchObject({ code: "offset_differs" });
  expect((await piece(id, 1000, reader.subarray(1000))).json()).toMatchObject({
    state: "ready",
    kind: "embedder",
    name: "bge-m3",
  });
  expect(desk.files()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}-bge-m3\.gguf$/)]);
  await desk.remove(id);
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk is reported while a file arrives, and cancelling leaves nothing",
  async () => {
    const { id } = await begin("file.gguf", chat.length);
    const part = partPath(t.services.config.dataDir, (await desk.rowOf(id)).storedName);
    await rm(part);
    await symlink("/dev/full", part);
    const answer = await piece(id, 0, chat);
    expect(answer.statusCode, answer.body).toBe(507);
    expect(answer.json()).toMatchObject({ code: "no_space", message: expect.stringContaining("мест") });
    await desk.remove(id);
    expect(desk.files()).toEqual([]);
    // A server looks each second whether there is room again.
    await t.services.writing.look();
  },
);

test.each([
  ["what is no model", randomBytes(5000), "Это не модель"],
  ["a model that this server cannot hold", ggufWith(2_000_000), "не хватит памяти"],
  [
    "a model of a kind that is not run here",
    Buffer.from(ggufWith(2).toString("latin1").replaceAll("llama", "qloma"), "latin1"),
    "такого вида",
  ],
])("%s is refused and gone", async (_, content, sentence) => {
  const { id } = await begin("file.gguf", content.length);
  const answer = await piece(id, 0, content);
  expect(answer.statusCode, answer.body).toBe(422);
  expect(answer.json().message).toContain(sentence);
  expect(desk.files()).toEqual([]);
  expect(await desk.find(id)).toBeUndefined();
});
