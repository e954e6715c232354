/** Migrates once per run; each test file clones the result. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { openDatabase, startPglite, wrapPglite } from "#server/db/database.ts";
import { openJobs } from "#server/jobs/queue.ts";
import { createLog } from "#server/log.ts";
import { onServer } from "./database.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const log = createLog("silent");
  if (url === undefined) {
    const folder = await mkdtemp(join(tmpdir(), "dt-snapshot-"));
    const tarball = join(folder, "snapshot.tar");
    const path = join(folder, "snapshot");
    const pglite = await startPglite();
    const opened = await wrapPglite(pglite);
    const jobs = await openJobs(opened, log);
    await jobs.stop(0);
    // Two of three databases are PostgreSQL's templates: each clone would unpack them, a third of its start.
    for (const name of ["template0", "template1"]) {
      await pglite.query("update pg_database set datistemplate = false where datname = $1", [name]);
      await pglite.exec(`drop database ${name}`);
    }
    await writeFile(tarball, Buffer.from(await (await pglite.dumpDataDir("none")).arrayBuffer()));
    await opened.close();
    await mkdir(path);
    await promisify(execFile)("tar", ["-xf", tarball, "-C", path]);
    project.provide("databaseSnapshot", { path });
    project.provide("dataFolder", tarball);
    return () => rm(folder, { recursive: true, force: true });
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
