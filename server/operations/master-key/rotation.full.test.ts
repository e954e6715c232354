/** A killed change of the master key is completed by the next run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openDatabase } from "#server/platform/db/database.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { prepareDataFolder } from "#server/test/processes/data-folder.ts";
import { opened, seal } from "#server/test/sealed-webhooks.ts";
import { openKeyRing } from "./key-ring.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "dt-key-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function rotate(folder: string): ChildProcess {
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  return spawn(process.execPath, [join(import.meta.dirname, "../../commands/rotate-master-key.ts")], { env });
}

test("a killed change of the embedded database's key leaves everything readable, and the next run completes it", async ({
  skip,
}) => {
  if (!("path" in inject("databaseSnapshot"))) return skip("the same on either run");
  const folder = join(dataDir, "embedded");
  await prepareDataFolder(folder);
  const given = { databaseUrl: null, dataDir: folder };
  const config = { masterKey: null, otherMasterKeys: [], dataDir: folder };
  const first = await openDatabase(given);
  await seal(first.db, createVault(await openKeyRing(first.db, config)), 450);
  await first.close();
  const formerFile = await readFile(join(folder, "master.key"), "utf8");

  const killed = rotate(folder);
  for await (const line of createInterface({ input: killed.stdout! })) {
    if (line.startsWith("Перешифровано значений: 2")) killed.kill("SIGKILL");
  }
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, "exit");
  expect(killed.signalCode).toBe("SIGKILL");
  // A server that starts now has both keys and decrypts everything.
  const between = await openDatabase(given);
  expect(await opened(between.db, createVault(await openKeyRing(between.db, config)))).toBe(450);
  await between.close();

  const ended = rotate(folder);
  let said = "";
  ended.stdout!.on("data", (part: Buffer) => {
    said += part;
  });
  await once(ended, "exit");
  expect(ended.exitCode).toBe(0);
  expect(said).toContain("проверено 450. Действует ключ версии 2.");
  const file = await readFile(join(folder, "master.key"), "utf8");
  expect(file.trim().split("\n")).toHaveLength(1);
  expect(file).not.toBe(formerFile);
  const after = await openDatabase(given);
  expect(await opened(after.db, createVault(await openKeyRing(after.db, config)))).toBe(450);
  await after.close();
});
