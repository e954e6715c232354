/**
 * Asks the process with an account's connection for its dialogs. The request is a job; the answer is an encrypted entry beside the
 * account's session, deleted once it was read.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { eq } from "drizzle-orm";
import * as z from "zod/mini";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { AccountDialog } from "#contract/knowledge/account-dialogs.ts";
import { loadEntry, saveState } from "#server/inbox/channel-protocol/channel-state.ts";
import { type LiveAccount, liveAccount } from "#server/inbox/telegram-account/live-accounts.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { Problem } from "#server/platform/errors.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export interface DialogDeps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
}

type Ask = JobData["list-dialogs"];

const ENTRY = "dialogs";
/** Milliseconds for which a process without the connection stays busy after returning the job, so that another one takes it. */
const PASSED_MS = 1_000;
const LOOK_MS = 200;
/** Milliseconds after which an answer is deleted: by then the request has read it, or has ended. */
const TAKEN_MS = 5_000;

const Answer = z.object({
  ask: z.string(),
  /** Absent while the list is being read. */
  result: z.optional(
    z.union([
      z.object({ dialogs: z.array(AccountDialog) }),
      z.object({
        status: z.number(),
        code: z.enum(ERROR_CODES),
        message: z.string(),
        retryAfter: z.optional(z.number()),
      }),
    ]),
  ),
});
type Answer = z.infer<typeof Answer>;

interface DialogQuestion {
  /** Returns the answer so far. @throws Problem of the other process */
  look(): Promise<AccountDialog[] | "reading" | "nothing">;
}

/** @param until when the answer is no longer needed */
export async function askForDialogs(
  { db, jobs, vault }: DialogDeps,
  { organizationId, userId }: Tenant,
  integrationId: string,
  until: Date,
): Promise<DialogQuestion> {
  const ask = { organizationId, userId, integrationId, ask: randomUUID(), passed: 0, until: until.getTime() };
  await asTenant(db, ask, (tx) => jobs.enqueue(tx, "list-dialogs", ask));
  return {
    async look() {
      const answer = await asTenant(db, ask, async (tx) => {
        const kept = await loadEntry(tx, vault, ask, ENTRY);
        const found = kept === undefined ? undefined : Answer.parse(JSON.parse(kept));
        if (found?.ask !== ask.ask) return undefined;
        if (found.result !== undefined) await saveState(tx, vault, ask, new Map([[ENTRY, null]]));
        return found;
      });
      if (answer === undefined) return "nothing";
      if (answer.result === undefined) return "reading";
      if ("dialogs" in answer.result) return answer.result.dialogs;
      const { status, code, message, retryAfter } = answer.result;
      throw new Problem(status, code, message, retryAfter === undefined ? {} : { retryAfter });
    },
  };
}

/** Runs the job. @param read returns the list, or throws a Problem, which becomes the answer */
export async function answerDialogs(
  { db, jobs, vault }: DialogDeps,
  ask: Ask,
  read: (account: LiveAccount, integrationId: string) => Promise<AccountDialog[]>,
): Promise<void> {
  const [known] = await asTenant(db, ask, (tx) =>
    tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, ask.integrationId)),
  );
  if (known === undefined || Date.now() > ask.until) return;
  const account = liveAccount(ask.integrationId);
  if (account === undefined) {
    const next = { ...ask, passed: ask.passed + 1 };
    await asTenant(db, ask, (tx) => jobs.enqueue(tx, "list-dialogs", next));
    await pause(PASSED_MS);
    return;
  }
  const say = (result?: Answer["result"]) =>
    asTenant(db, ask, (tx) =>
      saveState(tx, vault, ask, new Map([[ENTRY, JSON.stringify({ ask: ask.ask, result } satisfies Answer)]])),
    );
  await say();
  await say(await read(account, ask.integrationId).then((dialogs) => ({ dialogs }), refusalOf));
  await dropUntaken({ db, vault }, ask);
}

function refusalOf(error: unknown): Answer["result"] {
  if (!(error instanceof Problem)) throw error;
  const { status, code, message, headers } = error;
  const retryAfter = headers["retry-after"];
  return { status, code, message, ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }) };
}

/** Deletes answers that were not read, because the names of people who were not chosen must not be kept. */
async function dropUntaken({ db, vault }: Pick<DialogDeps, "db" | "vault">, ask: Ask): Promise<void> {
  for (const until = Date.now() + TAKEN_MS; Date.now() < until; await pause(LOOK_MS)) {
    if ((await asTenant(db, ask, (tx) => loadEntry(tx, vault, ask, ENTRY))) === undefined) return;
  }
  await asTenant(db, ask, (tx) => saveState(tx, vault, ask, new Map([[ENTRY, null]])));
}
