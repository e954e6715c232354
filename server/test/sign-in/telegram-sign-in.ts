/**
 * Signs in to a server that runs as a process of its own as a user with a confirmed identity: by Telegram, whose signature needs no letter.
 */
import { createHash, createHmac } from "node:crypto";

/** For the server's environment. */
export const TELEGRAM_LOGIN = {
  TELEGRAM_BOT_NAME: "test_twins_bot",
  TELEGRAM_BOT_TOKEN: "424242:test-bot-token-0123456789abcdef",
};

/** The widget's payload, for POST /api/auth/telegram. */
export function telegramSignIn(person: { first_name: string; last_name: string; id?: number }) {
  const fields = { id: 1_000_001, auth_date: Math.floor(Date.now() / 1000), ...person };
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const secret = createHash("sha256").update(TELEGRAM_LOGIN.TELEGRAM_BOT_TOKEN).digest();
  return { ...fields, hash: createHmac("sha256", secret).update(lines.sort().join("\n")).digest("hex") };
}
