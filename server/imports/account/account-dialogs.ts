/** Lists the dialogs of a connected account, for its owner to choose from. */
import { setTimeout as pause } from "node:timers/promises";
import { type AccountDialog, type AccountDialogs, MAX_DIALOGS } from "#contract/knowledge/account-dialogs.ts";
import { getOwnIntegration } from "#server/inbox/channels/integration-rows.ts";
import { dialogsChosenBefore, requireReadable } from "#server/inbox/integrations/telegram-import.ts";
import { endedSession, floodSeconds, isRpcFailure, waitWords } from "#server/inbox/telegram-account/failures.ts";
import { type LiveAccount, liveAccount } from "#server/inbox/telegram-account/live-accounts.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { tooMany, unavailable, unprocessable, upstream } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { JobHandlers } from "#server/platform/jobs/queue.ts";
import { isTimeout } from "./account-import.ts";
import { answerDialogs, askForDialogs, type DialogDeps } from "./dialog-requests.ts";

/** Milliseconds: an account that has just signed in is connected within seconds. */
const CONNECTING_MS = 10_000;
const LOOK_MS = 200;
const LIST_MS = 45_000;

/**
 * Lists the dialogs through the process with the account's connection. The list is not stored, because the names of people who are not
 * chosen must not be kept.
 * @throws Problem 404 for all but the twin's owner; 422 for what is no account, is paused or signed out; 429 when Telegram asks to wait;
 * 502; 503 while the account is not connected
 */
export async function listAccountDialogs(
  deps: DialogDeps,
  caller: Caller,
  id: string,
  { connectingMs = CONNECTING_MS, accountHere = liveAccount } = {},
): Promise<AccountDialogs> {
  const { trouble, chosen } = await asTenant(deps.db, caller, async (tx) => {
    const integration = await getOwnIntegration(tx, caller, id);
    requireReadable(integration);
    return { trouble: integration.trouble, chosen: await dialogsChosenBefore(tx, id) };
  });
  const account = accountHere(id);
  const dialogs =
    account === undefined
      ? await dialogsOnceConnected(deps, caller, id, connectingMs)
      : await dialogsOfLive(account, id);
  if (dialogs === undefined) {
    const message = trouble ?? "Аккаунт ещё подключается к Telegram. Повторите через несколько секунд.";
    throw unavailable("account_not_connected", message, { retryAfter: 5 });
  }
  return { dialogs, chosen };
}

/** Returns the dialogs from the first process that has the connection, which may be this one. */
async function dialogsOnceConnected(
  deps: DialogDeps,
  caller: Caller,
  id: string,
  connectingMs: number,
): Promise<AccountDialog[] | undefined> {
  let until = Date.now() + connectingMs;
  const question = await askForDialogs(deps, caller, id, new Date(until));
  for (let reading = false; Date.now() < until; await pause(LOOK_MS)) {
    const answer = await question.look();
    if (Array.isArray(answer)) return answer;
    if (answer === "reading" && !reading) {
      reading = true;
      until = Date.now() + LIST_MS + LOOK_MS;
    }
  }
  return undefined;
}

export const dialogJobs = (deps: DialogDeps): Pick<JobHandlers, "list-dialogs"> => ({
  "list-dialogs": (data) => answerDialogs(deps, data, dialogsOfLive),
});

/** @throws Problem 422, 429, 502 */
async function dialogsOfLive(account: LiveAccount, id: string): Promise<AccountDialog[]> {
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    return await readDialogs(account, signal);
  } catch (error) {
    if (signal.aborted || isTimeout(error) || liveAccount(id) !== account) {
      throw upstream("telegram_away", "Telegram не отвечает. Попробуйте через минуту.", { cause: error });
    }
    throw refusalOf(error);
  }
}

async function readDialogs(account: LiveAccount, signal: AbortSignal): Promise<AccountDialog[]> {
  const { dialogsOf } = await import("./account-history.ts");
  const dialogs: AccountDialog[] = [];
  for await (const { lastMessage, ...dialog } of dialogsOf(account, signal)) {
    dialogs.push({ ...dialog, lastMessage: lastMessage?.toISOString() ?? null });
    if (dialogs.length === MAX_DIALOGS) break;
  }
  return dialogs;
}

/** Translates Telegram's refusal into a Problem; returns any other error unchanged. */
function refusalOf(error: unknown): unknown {
  const seconds = floodSeconds(error);
  if (seconds !== null) {
    const message = `Telegram просит подождать ${waitWords(seconds)}. Потом откройте список снова.`;
    return tooMany("telegram_flood", message, { retryAfter: seconds });
  }
  const ended = endedSession(error);
  if (ended !== null) return unprocessable("telegram_refused", ended);
  if (!isRpcFailure(error)) return error;
  return upstream("telegram_failed", "Telegram не показал список диалогов. Попробуйте позже.", { cause: error });
}
