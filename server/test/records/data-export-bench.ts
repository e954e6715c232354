/** Exports of an account's and an organisation's data, and what their files hold. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import type { DataExport } from "#contract/organizations/records.ts";
import type { ExportRow } from "#server/operations/records/export/export-rows.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;

export const OWN = "/api/account/export";
export const stateOf = async (client: TestClient, at = OWN) => (await client.get(at)).json<DataExport | null>();
export const rowOf = async ({ caller }: TestClient): Promise<ExportRow> =>
  (await t.services.db.select().from(dataExports).where(eq(dataExports.userId, caller.userId)))[0]!;

export async function taken(client: TestClient, at = OWN): Promise<Map<string, Buffer>> {
  await client.delete(at);
  const asked = await client.post(at);
  expect(asked.statusCode, asked.body).toBe(202);
  await t.jobsIdle();
  expect(await stateOf(client, at)).toMatchObject({ state: "ready", reason: null, progress: 1 });
  const file = await client.get(`${at}/file`);
  expect(file.statusCode).toBe(200);
  expect(file.headers["content-type"]).toBe("application/zip");
  return readZip(file.rawPayload);
}
export const linesOf = (files: Map<string, Buffer>, name: string): Record<string, unknown>[] =>
  (files.get(`data/${name}.jsonl`)?.toString() ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareDataExport(): void {
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
}
