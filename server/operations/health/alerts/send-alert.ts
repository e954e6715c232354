/** Sends alerts by mail and by the installation's own Telegram bot. */
import type { AlertTest, AlertWay } from "#contract/health.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import { sendByTelegramBot } from "#server/inbox/channels/telegram-bot-message.ts";
import type { Config } from "#server/platform/config.ts";
import type { Log } from "#server/platform/log.ts";
import type { AlertMessage } from "./message.ts";

export interface SenderDeps {
  config: Pick<Config, "alerts" | "telegramApiRoot">;
  mailer: Mailer;
  log: Log;
}

export const alertWaysOf = ({ email, telegram }: Config["alerts"]): AlertWay[] => [
  ...(email === null ? [] : (["mail"] as const)),
  ...(telegram === null ? [] : (["telegram"] as const)),
];

/** Sends a message by every way that the settings name. Never throws. @returns the result for each way */
export function sendAlert({ config, mailer, log }: SenderDeps, message: AlertMessage): Promise<AlertTest[]> {
  const { email, telegram } = config.alerts;
  const send: Record<AlertWay, () => Promise<string | null>> = {
    mail: () => sendLetter(mailer, email!, message),
    telegram: () => sendMessage(telegram!, config.telegramApiRoot, message),
  };
  return Promise.all(
    alertWaysOf(config.alerts).map(async (way) => {
      const failure = await send[way]();
      if (failure !== null) log.warn({ way, reason: failure }, "an alert was not sent");
      return { way, failure };
    }),
  );
}

async function sendLetter(mailer: Mailer, to: string, { subject, text }: AlertMessage): Promise<string | null> {
  try {
    await mailer.send({ to, subject, text: `${text}\n` });
    return null;
  } catch (error) {
    return letterFailure(error);
  }
}

/** Words a failure by nodemailer's code, because its messages quote addresses and the server's text. */
function letterFailure(error: unknown): string {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  if (code === "EAUTH") return "Почтовый сервер не принимает имя и пароль из SMTP_URL.";
  if (code === "EENVELOPE") return "Почтовый сервер не принял адрес из ALERT_EMAIL или MAIL_FROM.";
  if (code === "EMESSAGE") return "Почтовый сервер отклонил письмо.";
  if (/CERT|SIGNED|ALTNAME|ETLS/.test(code)) return "Сертификат почтового сервера не проходит проверку.";
  return "Почтовый сервер из SMTP_URL не отвечает.";
}

async function sendMessage(
  { token, chat }: NonNullable<Config["alerts"]["telegram"]>,
  apiRoot: string,
  { subject, text }: AlertMessage,
): Promise<string | null> {
  const sent = await sendByTelegramBot({ token, apiRoot }, { chat, text: `**${subject}**\n\n${text}` });
  if (sent.ok) return null;
  if (sent.kind === "blocked")
    return "Бот не может писать в этот чат: напишите ему первым или добавьте его в группу из ALERT_TELEGRAM_CHAT.";
  if (sent.kind === "invalid") return "Telegram не нашёл чат из ALERT_TELEGRAM_CHAT.";
  if (sent.kind === "auth") return "Telegram не принимает токен из ALERT_TELEGRAM_TOKEN.";
  return `${sent.message}.`;
}
