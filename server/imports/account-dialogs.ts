/** The dialogues of a connected account, for its owner to choose from. */
import { type AccountDialog, type AccountDialogs, MAX_DIALOGS } from "#contract/account-dialogs.ts";
import { getOwnIntegration } from "#server/channels/integrations.ts";
import { endedSession, floodSeconds, isRpcFailure, waitWords } from "#server/channels/telegram-failures.ts";
import { demandReadable, dialogsChosenBefore } from "#server/channels/telegram-import.ts";
import { type LiveAccount, liveAccount } from "#server/channels/telegram-live.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { tooMany, unavailable, unprocessable, upstream } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { isTimeout } from "./account-import.ts";

/** An account that has just been signed in to is connected within seconds. */
const CONNECTING_MS = 10_000;
const LOOK_MS = 200;
/** The whole list. */
const LIST_MS = 45_000;

/**
 * Nothing of it is stored: names of those who are not chosen are nobody's business.
 * @throws Problem 404 for anybody but the twin's owner; 422 for what is no account, is paused or signed out; 429 when
 * Telegram wants us to wait; 502; 503 while the account is not connected
 */
export async function listAccountDialogs(
  db: Database,
  viewer: Viewer,
  id: string,
  connectingMs = CONNECTING_MS,
): Promise<AccountDialogs> {
  const { trouble, chosen } = await asTenant(db, viewer, async (tx) => {
    const integration = await getOwnIntegration(tx, viewer, id);
    demandReadable(integration);
    return { trouble: integration.trouble, chosen: await dialogsChosenBefore(tx, id) };
  });
  const account = await connectedAccount(id, connectingMs);
  if (account === undefined) {
    const message = trouble ?? "Аккаунт ещё подключается к Telegram. Повторите через несколько секунд.";
    throw unavailable("account_not_connected", message, { retryAfter: 5 });
  }
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    return { dialogs: await readDialogs(account, signal), chosen };
  } catch (error) {
    if (signal.aborted || isTimeout(error) || liveAccount(id) !== account) {
      throw upstream("telegram_away", "Telegram не отвечает. Попробуйте через минуту.", { cause: error });
    }
    throw refusalOf(error);
  }
}

async function connectedAccount(id: string, connectingMs: number): Promise<LiveAccount | undefined> {
  for (const until = Date.now() + connectingMs; Date.now() < until; ) {
    const account = liveAccount(id);
    if (account !== undefined) return account;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return liveAccount(id);
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

/** Telegram's refusal in Russian; whatever is none is given back. */
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
