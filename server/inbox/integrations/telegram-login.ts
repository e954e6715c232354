/**
 * Signs in to a Telegram account: a code is sent, then code and password are checked. Between the two calls the session key is stored
 * encrypted, so a restart does no harm.
 */
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type {
  CodeSent,
  CodeVerified,
  TelegramSetup,
  TelegramVerification,
} from "#contract/integrations/telegram-account.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import { unavailableMessage } from "#server/inbox/channel-protocol/through-proxy.ts";
import { StoredProxy } from "#server/inbox/channels/credentials.ts";
import type { BaseTelegramClient } from "#server/inbox/telegram-account/client.ts";
import { floodSeconds, isRpcFailure, loginRefusal, waitWords } from "#server/inbox/telegram-account/failures.ts";
import { nameOf } from "#server/inbox/telegram-account/message.ts";
import { AccountStorage } from "#server/inbox/telegram-account/storage.ts";
import type { TelegramDc } from "#server/platform/config/telegram-dc.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { telegramLogins } from "#server/platform/db/schema/channels.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound, tooMany, unprocessable, upstream } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { createProxied } from "#server/platform/network/proxied.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { type AccountOwner, keepAccount, refuseTakenAccount } from "./telegram-accounts.ts";

interface LoginDeps {
  db: Database;
  vault: Vault;
  log: Log;
  config: { telegramDc: TelegramDc | null };
}

const LOGIN_MS = 10 * 60_000;
const TRIES = 3;
/** Logins that a member may start within an hour, because each sends a code to a phone. */
const LOGINS = 10;
const HOUR_MS = 3600_000;
const EXCHANGE_MS = 30_000;

const LoginState = z.object({
  /** As stored with the account; null: no proxy. */
  proxy: z._default(z.nullable(StoredProxy), null),
  apiId: z.string(),
  apiHash: z.string(),
  /** Digits only. */
  phone: z.string(),
  phoneNumber: z.string(),
  phoneCodeHash: z.string(),
  /** Whether the code was right and only the password is missing. */
  passwordMissing: z.boolean(),
  session: z.array(z.tuple([z.string(), z.string()])),
});
type LoginState = z.infer<typeof LoginState>;

/**
 * Asks Telegram to send a code.
 * @throws Problem 404, 403 for the twin; 422 for a refusal by Telegram; 429; 502 when Telegram cannot be reached
 */
export async function sendTelegramCode(deps: LoginDeps, caller: Caller, input: TelegramSetup): Promise<CodeSent> {
  const { apiId, apiHash, phoneNumber, twinId } = input;
  await asTenant(deps.db, caller, (tx) => checkTwin(tx, caller, twinId));
  const phone = phoneNumber.replace(/\D/g, "");
  if (!/^\d{1,10}$/.test(apiId))
    throw unprocessable("bad_api_id", "API ID — это число: возьмите его на my.telegram.org");
  if (!/^\d{7,15}$/.test(phone)) throw unprocessable("bad_phone", "Укажите номер с кодом страны: +7XXXXXXXXXX");
  const proxy = await enteredProxy(caller, input.proxy, true);
  await limitLogins(deps.db, caller);
  const storage = new AccountStorage(new Map(), async () => {});
  const phoneCodeHash = await exchange(deps, { apiId, apiHash, proxy }, storage, async (client) => {
    const sent = await client.call({
      _: "auth.sendCode",
      phoneNumber: phone,
      apiId: Number(apiId),
      apiHash,
      settings: { _: "codeSettings" },
    });
    if (sent._ === "auth.sentCode") return sent.phoneCodeHash;
    throw unprocessable(
      "telegram_refused",
      "Telegram не присылает кодов на этот номер сторонним приложениям. Войдите сначала в приложении Telegram.",
    );
  }).catch(rethrowRefusal);
  const state = {
    proxy,
    apiId,
    apiHash,
    phone,
    phoneNumber,
    phoneCodeHash,
    passwordMissing: false,
    session: storage.entries(),
  };
  const sessionId = await keepLogin(deps, caller, twinId, state);
  return { phoneCodeHash, sessionId };
}

/** Checks the twin that learns from the account. @throws Problem 422 when the organisation has none, 404, 403 */
async function checkTwin(tx: Tx, caller: Caller, twinId: string): Promise<void> {
  const known = await tx
    .select({ id: twins.id, orgId: twins.orgId, ownerId: twins.ownerId })
    .from(twins)
    .where(eq(twins.orgId, caller.organizationId));
  if (known.length === 0) throw unprocessable("no_twins", "Сначала создайте Digital Twin");
  const twin = known.find(({ id }) => id === twinId);
  if (twin === undefined) throw notFound("Выбранный Digital Twin не найден", "twin_not_found");
  canChange(caller, twin);
}

const mine = ({ organizationId, userId }: Tenant) =>
  and(eq(telegramLogins.orgId, organizationId), eq(telegramLogins.userId, userId));

/** @throws Problem 429 */
async function limitLogins(db: Database, caller: Caller): Promise<void> {
  const since = new Date(Date.now() - HOUR_MS);
  const latest = await asTenant(db, caller, async (tx) => {
    await tx.delete(telegramLogins).where(and(mine(caller), lt(telegramLogins.createdAt, since)));
    return tx
      .select({ createdAt: telegramLogins.createdAt })
      .from(telegramLogins)
      .where(mine(caller))
      .orderBy(desc(telegramLogins.createdAt))
      .limit(LOGINS);
  });
  if (latest.length < LOGINS) return;
  const retryAfter = (latest.at(-1)!.createdAt.getTime() + HOUR_MS - Date.now()) / 1000;
  throw tooMany("too_many_codes", "Вы запросили слишком много кодов. Попробуйте через час.", { retryAfter });
}

const sealedAt = ({ organizationId }: Tenant, id: string) => ({
  table: "telegram_logins",
  tenant: organizationId,
  row: id,
  column: "state",
});

/** Only the newest login of a member continues. */
async function keepLogin({ db, vault }: LoginDeps, caller: Caller, twinId: string, state: LoginState): Promise<string> {
  const id = crypto.randomUUID();
  await asTenant(db, caller, async (tx) => {
    await tx.update(telegramLogins).set({ state: null }).where(mine(caller));
    await tx.insert(telegramLogins).values({
      id,
      orgId: caller.organizationId,
      userId: caller.userId,
      twinId,
      state: vault.seal(sealedAt(caller, id), JSON.stringify(state)),
    });
  });
  return id;
}

const refused = (error: string): CodeVerified => ({ success: false, error });
const OVER = refused("Время на ввод кода вышло. Вернитесь назад и запросите новый код.");

/**
 * Checks the code, and the password if the account has one; then connects the account. A mistake that the person can correct is a response
 * without success, at most three times.
 * @throws Problem 404, 403 for the twin; 409 while the previous check is running; 422; 429; 502
 */
export async function verifyTelegramCode(
  deps: LoginDeps,
  caller: Caller,
  input: TelegramVerification,
): Promise<CodeVerified> {
  await asTenant(deps.db, caller, (tx) => checkTwin(tx, caller, input.twinId));
  const state = await takeLogin(deps, caller, input);
  if (state === null) return OVER;
  const storage = new AccountStorage(new Map(state.session), async () => {});
  let next: Partial<LoginState> = {};
  try {
    const signedIn = await exchange(deps, state, storage, async (client) => {
      const account = await signIn(client, state, input);
      if (account !== null) await refuseTakenAccount(deps, caller, input.twinId, account, client);
      return account;
    });
    if (signedIn === null) {
      next = { passwordMissing: true };
      return refused(PASSWORD_WANTED);
    }
    const account = { ...signedIn, ...state, session: storage.entries() };
    return { success: true, integration: { id: await keepAccount(deps, caller, input.twinId, account) } };
  } catch (error) {
    if (isRpcFailure(error) && error.text === "PHONE_CODE_EXPIRED") return OVER;
    const mistake = mistakeOf(error);
    if (mistake === null) return rethrowRefusal(error);
    // A wrong password implies that the code was right.
    next = mistake.about === "password" ? { passwordMissing: true } : {};
    const left = await countMistake(deps, caller, input.sessionId);
    return refused(left > 0 ? `${mistake.text} Осталось попыток: ${left}.` : `${mistake.text} ${ASK_ANEW}`);
  } finally {
    await giveBack(deps, caller, input.sessionId, { ...state, ...next, session: storage.entries() });
  }
}

const PASSWORD_WANTED =
  "Код верный. В аккаунте включена двухэтапная аутентификация: введите её пароль и подтвердите ещё раз.";
const ASK_ANEW = "Попытки кончились: вернитесь назад и запросите новый код.";

/** Marks the login as being used. @returns null when it no longer exists */
async function takeLogin(
  { db, vault }: LoginDeps,
  caller: Caller,
  { sessionId, phoneCodeHash, twinId }: TelegramVerification,
): Promise<LoginState | null> {
  if (!z.uuid().safeParse(sessionId).success) return null;
  return asTenant(db, caller, async (tx) => {
    const [row] = await tx
      .select()
      .from(telegramLogins)
      .where(
        and(
          mine(caller),
          eq(telegramLogins.id, sessionId),
          eq(telegramLogins.twinId, twinId),
          gt(telegramLogins.createdAt, new Date(Date.now() - LOGIN_MS)),
        ),
      )
      .for("update");
    if (row === undefined || row.state === null || row.failures >= TRIES) return null;
    const state = z.parse(LoginState, JSON.parse(vault.open(sealedAt(caller, row.id), row.state)));
    if (state.phoneCodeHash !== phoneCodeHash) return null;
    if (row.busyUntil !== null && row.busyUntil > new Date()) {
      throw conflict("code_being_checked", "Предыдущая проверка ещё идёт: подождите несколько секунд");
    }
    await tx
      .update(telegramLogins)
      .set({ busyUntil: new Date(Date.now() + 2 * EXCHANGE_MS) })
      .where(eq(telegramLogins.id, row.id));
    return state;
  });
}

/** @returns null when the password is required as well */
async function signIn(
  client: BaseTelegramClient,
  { phone, phoneCodeHash, passwordMissing }: LoginState,
  { verificationCode, password }: TelegramVerification,
): Promise<AccountOwner | null> {
  let authorization: Parameters<BaseTelegramClient["notifyLoggedIn"]>[0] | null = null;
  if (!passwordMissing) {
    authorization = await client
      .call({ _: "auth.signIn", phoneNumber: phone, phoneCodeHash, phoneCode: verificationCode.replace(/\D/g, "") })
      .catch((error: unknown) => {
        if (isRpcFailure(error) && error.text === "SESSION_PASSWORD_NEEDED") return null;
        throw error;
      });
  }
  if (authorization === null) {
    if (!password) return null;
    const request = await client.call({ _: "account.getPassword" });
    const proof = await client.computeSrpParams(request, password);
    authorization = await client.call({ _: "auth.checkPassword", password: proof });
  }
  if (authorization._ === "auth.authorizationSignUpRequired") {
    throw unprocessable("telegram_refused", "На этот номер нет аккаунта Telegram.");
  }
  const user = await client.notifyLoggedIn(authorization);
  return { accountId: String(user.id), name: nameOf(user) };
}

const MISTAKES: Record<string, { about: "code" | "password"; text: string }> = {
  PHONE_CODE_INVALID: { about: "code", text: "Неверный код подтверждения." },
  PHONE_CODE_EMPTY: { about: "code", text: "Неверный код подтверждения." },
  PASSWORD_HASH_INVALID: { about: "password", text: "Неверный пароль двухэтапной аутентификации." },
};

const mistakeOf = (error: unknown) => (isRpcFailure(error) ? (MISTAKES[error.text] ?? null) : null);

/** @returns the number of tries left */
async function countMistake({ db }: LoginDeps, caller: Caller, id: string): Promise<number> {
  const [row] = await asTenant(db, caller, (tx) =>
    tx
      .update(telegramLogins)
      .set({ failures: sql`${telegramLogins.failures} + 1` })
      .where(and(mine(caller), eq(telegramLogins.id, id)))
      .returning({ failures: telegramLogins.failures }),
  );
  return Math.max(0, TRIES - (row?.failures ?? TRIES));
}

/** Keeps the login for the next try, if one is left; otherwise deletes all its data. */
async function giveBack({ db, vault }: LoginDeps, caller: Caller, id: string, state: LoginState): Promise<void> {
  const sealed = vault.seal(sealedAt(caller, id), JSON.stringify(state));
  await asTenant(db, caller, (tx) =>
    tx
      .update(telegramLogins)
      .set({
        busyUntil: null,
        state: sql`case when ${telegramLogins.state} is null or ${telegramLogins.failures} >= ${TRIES} then null else ${sealed}::bytea end`,
      })
      .where(and(mine(caller), eq(telegramLogins.id, id))),
  );
}

/** Connects, runs the exchange and disconnects; no other connection uses the session meanwhile. */
async function exchange<T>(
  { config }: LoginDeps,
  credentials: Pick<LoginState, "apiId" | "apiHash" | "proxy">,
  storage: AccountStorage,
  work: (client: BaseTelegramClient) => Promise<T>,
): Promise<T> {
  const { openAccount } = await import("#server/inbox/telegram-account/client.ts");
  const away = Promise.withResolvers<never>();
  const proxy = credentials.proxy && createProxied(credentials.proxy);
  const giveUp = (cause?: unknown) => {
    const said = proxy === null ? AWAY : `${unavailableMessage(proxy, "Telegram недоступен")}. Проверьте соединение.`;
    away.reject(upstream("telegram_away", said, { cause }));
  };
  const client = openAccount(credentials, storage, { dc: config.telegramDc, proxy }, giveUp);
  const timer = setTimeout(giveUp, EXCHANGE_MS);
  try {
    return await Promise.race([work(client), away.promise]);
  } finally {
    clearTimeout(timer);
    await client.destroy();
  }
}

const AWAY = "Telegram не отвечает. Попробуйте через минуту.";

/** @throws Problem always: Telegram's refusal in Russian, else 502; other errors are rethrown */
function rethrowRefusal(error: unknown): never {
  const seconds = floodSeconds(error);
  if (seconds !== null) {
    const text = `Telegram просит подождать ${waitWords(seconds)}: слишком много попыток входа.`;
    throw tooMany("telegram_flood", text, { retryAfter: seconds });
  }
  const refusal = loginRefusal(error);
  if (refusal !== null) throw unprocessable("telegram_refused", refusal);
  if (isRpcFailure(error))
    throw upstream("telegram_failed", "Telegram ответил ошибкой. Попробуйте позже.", { cause: error });
  throw error;
}
