/** Migrates once for a state of the schema; each test file clones the result. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { openDatabase, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { onServer } from "./database.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const log = createLog("silent");
  if (url === undefined) {
    const folder = await preparedSnapshot();
    project.provide("databaseSnapshot", { path: join(folder, "snapshot") });
    project.provide("dataFolder", join(folder, "snapshot.tar"));
    return async () => {};
  }
  const template = `template_${randomBytes(6).toString("hex")}`;
  await onServer(url, `create database ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  const opened = await openDatabase({ databaseUrl: templateUrl.href, dataDir: "", pool: 3 });
  const jobs = await openJobs(opened, log);
  await jobs.stop(0);
  await opened.close();
  project.provide("databaseSnapshot", { template, url });
  return () => onServer(url, `drop database if exists ${template} with (force)`);
}

const root = join(import.meta.dirname, "../..");
const kept = join(root, ".cache/test-snapshots");
/** Snapshots of other states of the sources that are kept, for developers who switch branches. */
const MOST_KEPT = 4;

/**
 * The folder of a migrated PGlite: the data folder in `snapshot`, and as a tarball beside it. Migrating costs several seconds of a
 * processor, so it is done once for a state of what the schema is made of.
 */
async function preparedSnapshot(): Promise<string> {
  const folder = join(kept, await digestOfSchema());
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  await mkdir(kept, { recursive: true });
  const half = await mkdtemp(join(kept, "half-"));
  await makeSnapshot(half);
  // Another run may have been first.
  await rename(half, folder).catch(() => rm(half, { recursive: true, force: true }));
  await forgetOldSnapshots();
  return folder;
}

/** Everything that decides what a migrated database holds: the schema's folder, the queue, and the packages. */
async function digestOfSchema(): Promise<string> {
  const sources = ["server/platform/db", "server/platform/jobs"].flatMap((folder) =>
    globSync(`${folder}/**/*`, { cwd: root, exclude: (name) => name.includes(".test.") }),
  );
  const hash = createHash("sha256");
  for (const name of [...sources, "package-lock.json"].toSorted()) {
    const path = join(root, name);
    if (statSync(path).isFile()) hash.update(`${name}\0`).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 24);
}

async function makeSnapshot(folder: string): Promise<void> {
  const pglite = await startPglite();
  const opened = await wrapPglite(pglite);
  const jobs = await openJobs(opened, createLog("silent"));
  await jobs.stop(0);
  // Two of three databases are PostgreSQL's templates: each clone would unpack them, a third of its start.
  for (const name of ["template0", "template1"]) {
    await pglite.query("update pg_database set datistemplate = false where datname = $1", [name]);
    await pglite.exec(`drop database ${name}`);
  }
  const tarball = join(folder, "snapshot.tar");
  await writeFile(tarball, Buffer.from(await (await pglite.dumpDataDir("none")).arrayBuffer()));
  await opened.close();
  await mkdir(join(folder, "snapshot"));
  await promisify(execFile)("tar", ["-xf", tarball, "-C", join(folder, "snapshot")]);
}

async function forgetOldSnapshots(): Promise<void> {
  const folders = globSync(`${kept}/*`).map((path) => ({ path, used: statSync(path).mtimeMs }));
  for (const { path } of folders.toSorted((a, b) => b.used - a.used).slice(MOST_KEPT)) {
    await rm(path, { recursive: true, force: true });
  }
}
