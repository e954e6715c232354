import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExportUpload, ImportState } from "#contract/knowledge/imports.ts";
import { cleanUp } from "#server/cleanup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { zipOf } from "#server/test/files/zip.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let port: number;
beforeAll(async () => {
  t = await testApp();
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  port = (t.app.server.address() as { port: number }).port;
});
afterAll(() => t.close());

const uploads = () => readdir(join(t.services.config.dataDir, "uploads")).catch(() => []);

const makeTwin = ({ caller }: TestClient): Promise<string> =>
  asTenant(t.services.db, caller, (tx) => buildTwinRow(tx, caller, { name: "Пётр" }));

const chatOf = (other: string, size = 4) =>
  Array.from(
    { length: size },
    (_, at) => `12.03.2024, 14:0${at % 10} - ${at % 2 ? "Пётр" : other}: реплика ${at}`,
  ).join("\n");

const begin = async (client: TestClient, digitalTwinId: string, fileName: string, bytes: number) =>
  (await client.post("/api/imports/uploads", { digitalTwinId, fileName, bytes, modified: 1 })).json<ExportUpload>();

const append = (client: TestClient, id: string, offset: number, payload: Buffer) =>
  client.inject({
    method: "PATCH",
    url: `/api/imports/uploads/${id}?offset=${offset}`,
    headers: { "content-type": "application/octet-stream" },
    payload,
  });

test("an upload resumes after the bytes that had arrived when the connection broke", async () => {
  const ann = await t.signUp();
  const twinId = await makeTwin(ann);
  const content = Buffer.from(chatOf("Анна", 20_000));
  const { id, offset } = await begin(ann, twinId, "chat.txt", content.length);
  expect(offset).toBe(0);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `PATCH /api/imports/uploads/${id}?offset=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ann.token}\r\n` +
      `Content-Type: application/octet-stream\r\nContent-Length: ${content.length}\r\n\r\n`,
  );
  socket.write(content.subarray(0, 300_000));
  const arrived = async () => (await ann.get(`/api/imports/uploads/${id}`)).json<ExportUpload>().offset;
  await expect.poll(arrived, { timeout: 20_000 }).toBe(300_000);
  socket.destroy();

  // Another tab on another day continues the upload of the same file.
  expect(await begin(ann, twinId, "chat.txt", content.length)).toMatchObject({ id, offset: 300_000, format: null });
  const elsewhere = await append(ann, id, 100, content.subarray(100));
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([409, "offset_differs"]);
  expect((await ann.post("/api/imports/from-uploads", { uploadIds: [id] })).statusCode).toBe(409);
  const rest = await append(ann, id, 300_000, content.subarray(300_000));
  expect(rest.json()).toMatchObject({ offset: content.length, format: "whatsapp-txt" });

  const [made] = (await ann.post("/api/imports/from-uploads", { uploadIds: [id] })).json<ImportState[]>();
  await t.jobsIdle();
  expect((await ann.get(`/api/imports/${made!.id}`)).json()).toMatchObject({ status: "preview", total: 20_000 });
  expect((await ann.post("/api/imports/from-uploads", { uploadIds: [id] })).statusCode).toBe(404);
});

test("several files become one import per platform and are read in the order of their names", async () => {
  const ann = await t.signUp();
  const twinId = await makeTwin(ann);
  const before = await uploads();
  const telegram = await readFile(join(import.meta.dirname, "../formats/samples/telegram-chat.json"));
  const files: [string, Buffer][] = [
    ["2.txt", Buffer.from(`лишнее начало\n${chatOf("Борис")}`)],
    ["10.zip", zipOf([{ name: "_chat.txt", content: Buffer.from(chatOf("Вера")) }])],
    ["1.txt", Buffer.from(chatOf("Анна"))],
    ["result.json", telegram],
  ];
  const uploadIds: string[] = [];
  for (const [fileName, content] of files) {
    const { id } = await begin(ann, twinId, fileName, content.length);
    expect((await append(ann, id, 0, content)).statusCode, fileName).toBe(200);
    uploadIds.push(id);
  }
  const made = (await ann.post("/api/imports/from-uploads", { uploadIds })).json<ImportState[]>();
  await t.jobsIdle();
  const states = await Promise.all(made.map(({ id }) => ann.get(`/api/imports/${id}`)));
  const [whatsapp, other] = states.map((answer) => answer.json<ImportState>()).sort((a, b) => b.total - a.total);
  expect(whatsapp).toMatchObject({ fileName: "1.txt и ещё 2", status: "preview", total: 12, suggestedOwner: "Пётр" });
  expect(whatsapp!.chats.map(({ name }) => name)).toEqual(["Анна, Пётр", "Борис, Пётр", "Вера, Пётр"]);
  expect(whatsapp!.rejected).toEqual([{ line: 1, reason: "Строка стоит вне сообщений", file: "2.txt" }]);
  expect(other).toMatchObject({ fileName: "result.json", format: "telegram-json" });

  await ann.post(`/api/imports/${whatsapp!.id}/start`, { ownerId: "Пётр", consent: true });
  await t.jobsIdle();
  expect((await ann.get(`/api/imports/${whatsapp!.id}`)).json()).toMatchObject({ status: "done", imported: 12 });
  await ann.post(`/api/imports/${other!.id}/cancel`);
  expect(await uploads()).toEqual(before);
});

test("a file that is not an export is deleted at once, even an archive, and other members do not see an unfinished upload", async () => {
  const ann = await t.signUp();
  const twinId = await makeTwin(ann);
  const before = await uploads();
  const bomb = zipOf([{ name: "_chat.txt", content: Buffer.alloc(30 * 1024 * 1024) }]);
  for (const [content, status] of [
    [Buffer.from("просто заметки"), 415],
    [Buffer.alloc(70_000, 7), 415],
    [bomb, 413],
  ] as const) {
    const { id } = await begin(ann, twinId, "export", content.length === 70_000 ? 200_000 : content.length);
    const refused = await append(ann, id, 0, content);
    expect([refused.statusCode, (await ann.get(`/api/imports/uploads/${id}`)).statusCode]).toEqual([status, 404]);
  }
  expect(await uploads()).toEqual(before);

  const { id } = await begin(ann, twinId, "chat.txt", 5);
  const tooLong = await append(ann, id, 0, Buffer.from("123456"));
  expect([tooLong.statusCode, tooLong.json().code]).toEqual([400, "upload_too_long"]);
  expect(
    (await ann.inject({ method: "PATCH", url: `/api/imports/uploads/${id}?offset=0`, payload: {} })).statusCode,
  ).toBe(415);
  for (const client of [
    await t.signUp(),
    await t.signUp({ role: "org_admin", organizationId: ann.caller.organizationId }),
  ]) {
    expect((await append(client, id, 0, Buffer.from("1"))).statusCode).toBe(404);
  }
  const huge = { digitalTwinId: twinId, fileName: "a", bytes: 3 * 1024 ** 3 };
  expect((await ann.post("/api/imports/uploads", huge)).json().message).toBe(
    "Файл больше 2 ГБ: выгрузите переписку по частям",
  );
  await cleanUp(t.services, Date.now() + 25 * 3600_000);
  expect(await uploads()).toEqual(before);
});
