/** Uploads within an organisation's space. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { OrganizationStorage } from "#contract/organizations/storage.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const KILOBYTE = 1024;
export const MEGABYTE = KILOBYTE ** 2;
export const QUOTA = 300 * KILOBYTE;
export const ENOUGH = { totalBytes: 1000 * MEGABYTE, freeBytes: 900 * MEGABYTE };

export let t: TestApp;

export const files = () => readdir(join(t.services.config.dataDir, "uploads")).catch(() => []);

export async function withTwin(): Promise<{
  client: TestClient;
  twinId: string;
  storage: () => Promise<OrganizationStorage>;
}> {
  const client = await t.signUp();
  const made = await client.post("/api/digital-twins", {
    name: "Пётр",
    description: "Отвечает как я сам",
    personality: "Спокойный, точный и немного ироничный",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Мебель",
  });
  const path = `/api/organizations/${client.caller.organizationId}/storage`;
  return { client, twinId: made.json().id, storage: async () => (await client.get(path)).json() };
}

export const chat = (bytes: number) => {
  const line = "12.03.2024, 14:05 - Анна: привет, как дела\n12.03.2024, 14:06 - Пётр: хорошо\n";
  return Buffer.from(line.repeat(Math.ceil(bytes / Buffer.byteLength(line)))).subarray(0, bytes);
};

export async function form(fields: Record<string, string>, bytes: Buffer, fileName: string) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append("file", new Blob([new Uint8Array(bytes)]), fileName);
  const encoded = new Response(body);
  return {
    method: "POST" as const,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { "content-type": encoded.headers.get("content-type")! },
  };
}
export const importFile = async (client: TestClient, digitalTwinId: string, bytes: Buffer) =>
  client.inject({ url: "/api/imports", ...(await form({ digitalTwinId }, bytes, "chat.txt")) });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareDiskQuota(): void {
  beforeAll(async () => {
    t = await testApp({ organizationBytes: QUOTA, diskFloorBytes: 100 * MEGABYTE });
    t.services.disk.measure = async () => ENOUGH;
  });
  afterEach(() => {
    t.services.disk.measure = async () => ENOUGH;
  });
  afterAll(() => t.close());
}
