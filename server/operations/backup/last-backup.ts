/** Results of the last backups, stored in the data folder for the schedule and the operator. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

export interface BackupState {
  /** The last successful backup, scheduled or manual; null when none was made from this data folder. */
  last: {
    at: Date;
    file: string;
    bytes: number;
    /** Duration including the verification. */
    seconds: number;
    /** Whether it was read back whole and every digest matched. */
    verified: boolean;
  } | null;
  /** The last scheduled attempt, if it failed and none has succeeded since; the reason is a Russian sentence. */
  failure: { at: Date; reason: string } | null;
}

const Stored = z.object({
  last: z
    .object({ at: z.coerce.date(), file: z.string(), bytes: z.number(), seconds: z.number(), verified: z.boolean() })
    .nullable(),
  failure: z.object({ at: z.coerce.date(), reason: z.string() }).nullable(),
});

const fileOf = (dataDir: string): string => join(dataDir, "last-backup.json");

/** Reads the state of backups from the data folder. A missing or unreadable file counts as no backup. */
export async function readBackupState(dataDir: string): Promise<BackupState> {
  const text = await readFile(fileOf(dataDir), "utf8").catch(() => "null");
  const parsed = Stored.safeParse(parse(text));
  return parsed.success ? parsed.data : { last: null, failure: null };
}

export async function recordBackup(dataDir: string, last: NonNullable<BackupState["last"]>): Promise<void> {
  await write(dataDir, { last, failure: null });
}

/** @param reason a Russian sentence */
export async function recordFailure(dataDir: string, reason: string): Promise<void> {
  const { last } = await readBackupState(dataDir);
  await write(dataDir, { last, failure: { at: new Date(), reason } });
}

async function write(dataDir: string, state: BackupState): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
