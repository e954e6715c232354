/**
 * Verifies a visitor's Telegram identity. The widget signs its payload with the bot's token:
 * hex(HMAC_SHA256("key=value" lines of all received fields but `hash`, sorted, joined by \n; SHA256(bot token)))
 * (core.telegram.org/widgets/login). Another proof, such as an OpenID Connect id token, needs only one more function that returns a
 * TelegramIdentity; the rest of the sign-in (accounts.ts, routes.ts) stays the same.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { lt } from "drizzle-orm";
import type { TelegramLoginInput } from "#contract/organizations/auth.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { usedTelegramLogins } from "#server/platform/db/schema/accounts.ts";
import { unauthorized } from "#server/platform/errors.ts";

/** `telegramId` (decimal digits) identifies the account: usernames change hands. */
export interface TelegramIdentity {
  telegramId: string;
  firstName: string;
  lastName: string;
  username: string | null;
  photoUrl: string | null;
}

const MAX_AGE_S = 300;
// Telegram's clock may be ahead of ours by up to this many seconds.
const MAX_AHEAD_S = 60;
const MAX_FIELDS = 20;

/**
 * Verifies the widget's payload and uses it up.
 * @throws Problem 401 when it is unsigned, altered, too old or used already
 */
export async function telegramIdentity(
  db: Tx,
  payload: TelegramLoginInput,
  botToken: string,
): Promise<TelegramIdentity> {
  const signature = signatureOf(payload, botToken);
  const given = payload.hash ?? "";
  if (!/^[0-9a-f]{64}$/i.test(given) || !timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(signature, "hex"))) {
    throw unauthorized("Данные Telegram не прошли проверку", "telegram_signature");
  }
  const signedAt = Number(payload.auth_date);
  const age = Date.now() / 1000 - signedAt;
  if (!(age <= MAX_AGE_S && age >= -MAX_AHEAD_S)) {
    throw unauthorized("Вход через Telegram устарел. Попробуйте ещё раз", "telegram_expired");
  }
  // The key is the signature that we computed: the received one could be written in another letter case.
  const used = await db
    .insert(usedTelegramLogins)
    .values({ hash: signature, expiresAt: new Date((signedAt + MAX_AGE_S) * 1000) })
    .onConflictDoNothing()
    .returning({ hash: usedTelegramLogins.hash });
  if (used.length === 0) {
    throw unauthorized("Этот вход через Telegram уже использован. Попробуйте ещё раз", "telegram_replayed");
  }
  await db.delete(usedTelegramLogins).where(lt(usedTelegramLogins.expiresAt, new Date(Date.now() - 60_000)));
  return identityIn(payload);
}

/** Returns the payload's fields as an identity, without verifying them. */
function identityIn(payload: TelegramLoginInput): TelegramIdentity {
  return {
    telegramId: BigInt(payload.id).toString(),
    firstName: payload.first_name ?? "",
    lastName: payload.last_name ?? "",
    username: payload.username || null,
    photoUrl: payload.photo_url?.startsWith("https://") ? payload.photo_url : null,
  };
}

/** Returns lower-case hex. @throws Problem 401 for fields that no widget sends */
function signatureOf(payload: TelegramLoginInput, botToken: string): string {
  const fields = Object.entries(payload).filter(([key, value]) => key !== "hash" && value !== undefined);
  // With a line break or a second «=» one signed text could be parsed as other fields.
  const plain = fields.every(
    ([key, value]) =>
      /^\w+$/.test(key) && ["string", "number", "boolean"].includes(typeof value) && !String(value).includes("\n"),
  );
  if (fields.length > MAX_FIELDS || !plain) {
    throw unauthorized("Данные Telegram не прошли проверку", "telegram_signature");
  }
  const lines = fields.map(([key, value]) => `${key}=${value}`).sort();
  const secret = createHash("sha256").update(botToken).digest();
  return createHmac("sha256", secret).update(lines.join("\n")).digest("hex");
}
