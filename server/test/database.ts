/** A fresh migrated database for a test file: a clone of one snapshot on PGlite, of one template on PostgreSQL. */
import { randomBytes } from "node:crypto";
import type { Extensions } from "@electric-sql/pglite";
import pg from "pg";
import { inject } from "vitest";
import { type OpenDatabase, openDatabase, startPglite, wrapPglite } from "#server/platform/db/database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** PGlite: the migrated data folder. PostgreSQL: name of the template database. */
    databaseSnapshot: { path: string } | { template: string; url: string };
  }
}

/**
 * @param options.answerMs as in `openDatabase`; PostgreSQL only
 * @param options.stillMs as in `openDatabase`
 * @param options.extensions of the embedded engine
 */
export async function openTestDatabase({
  extensions,
  ...options
}: {
  answerMs?: number;
  stillMs?: number;
  extensions?: Extensions;
} = {}): Promise<OpenDatabase> {
  const snapshot = inject("databaseSnapshot");
  if ("path" in snapshot) {
    const { snapshotFiles } = await import("./snapshot-files.ts");
    return wrapPglite(
      await startPglite({ fs: snapshotFiles(snapshot.path), ...(extensions && { extensions }) }),
      options,
    );
  }
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(snapshot.url, `create database ${name} template ${snapshot.template}`);
  const url = new URL(snapshot.url);
  url.pathname = `/${name}`;
  const opened = await openDatabase({ databaseUrl: url.href, dataDir: "", pool: 5, ...options });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await onServer(snapshot.url, `drop database if exists ${name} with (force)`);
      const { connectionString } = opened.db.$requests.options;
      await onServer(snapshot.url, `drop role if exists ${new URL(connectionString!).username}`);
    },
  };
}

/** Runs one statement on the server's maintenance connection. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
