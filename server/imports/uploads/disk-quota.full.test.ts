import { expect, test } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import {
  chat,
  files,
  importFile,
  KILOBYTE,
  prepareDiskQuota,
  t,
  withTwin,
} from "#server/test/imports/disk-quota-bench.ts";

prepareDiskQuota();

test("files are received in parallel within the quota, and a refused one leaves neither a file nor a reservation", async () => {
  const { client, twinId, storage } = await withTwin();
  const before = (await files()).length;
  const answers = await Promise.all([1, 2, 3].map(() => importFile(client, twinId, chat(140 * KILOBYTE))));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 413]);
  expect((await files()).length - before).toBe(2);
  await t.jobsIdle();
  expect(await storage()).toMatchObject({ uploadsBytes: 280 * KILOBYTE });
  expect((await importFile(client, twinId, Buffer.from("это не выгрузка"))).statusCode).toBe(415);
  expect(await storage()).toMatchObject({ uploadsBytes: 280 * KILOBYTE });

  // A cancelled import releases its space at once.
  const { id } = answers.find(({ statusCode }) => statusCode === 202)!.json<ImportState>();
  expect((await client.post(`/api/imports/${id}/cancel`)).statusCode).toBe(200);
  expect(await storage()).toMatchObject({ uploadsBytes: 140 * KILOBYTE });
  expect((await files()).length - before).toBe(1);
});
