import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const newName = (kind: string) => `${kind}-${randomBytes(16).toString("hex")}`;

async function storeFile(name: string): Promise<string> {
  await t.services.files.write(name, Readable.from([Buffer.from("GGUF")]));
  return name;
}

/** Stores an adapter as release 0.2 did: one in use, or an upload that has not ended. */
async function storeAdapter({ caller }: TestClient, twinId: string, version: number | null): Promise<string> {
  const storedName = await storeFile(newName("voice"));
  await asTenant(t.services.db, caller, (tx) =>
    tx.insert(voiceAdapters).values({
      ...{ orgId: caller.organizationId, twinId, userId: caller.userId, fileName: "voice.gguf", storedName, bytes: 4 },
      ...{ version, active: version !== null },
    }),
  );
  return storedName;
}

test("adapters of release 0.2 are removed with their files, also those that a killed process has left, and nothing else", async () => {
  const { db, files } = t.services;
  const [ann, bob] = [await t.signUp(), await t.signUp()];
  const names = [
    await storeAdapter(ann, await buildTwin(ann), 1),
    await storeAdapter(bob, await buildTwin(bob), null),
    await storeFile(newName("voice")),
  ];
  const other = await storeFile(newName("export"));
  const all = () => Promise.all([...names, other].map((name) => files.size(name)));
  expect(await all()).toEqual([4, 4, 4, 4]);
  await cleanUp(t.services);
  expect(await all()).toEqual([null, null, null, 4]);
  expect(await asPlatform(db, (tx) => tx.select().from(voiceAdapters))).toEqual([]);
});
