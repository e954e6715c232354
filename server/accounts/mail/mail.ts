import type { Transporter } from "nodemailer";
import type { MailTransport } from "#contract/organizations/auth.ts";
import type { Config } from "#server/platform/config.ts";
import type { Log } from "#server/platform/log.ts";

export interface Letter {
  to: string;
  subject: string;
  /** Plain text: no mail program renders it, so nothing can be injected. */
  text: string;
}

export interface Mailer {
  /** How letters are delivered; the web app shows it. */
  readonly way: MailTransport;
  /** Resolves when the mail server has accepted the letter; rejects when it has not. */
  send(letter: Letter): Promise<void>;
  /** Signs in at the mail server without sending anything; absent when letters are not mailed. @throws Error */
  check?(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

const LINK = /https?:\/\/\S{1,500}/;

/**
 * Sends letters through SMTP_URL. Without SMTP_URL, prints them on the server's console, so that every link works on a fresh machine; not
 * in production, where other people read collected logs.
 * @param print writes a line for people, beside the log for programs
 */
export function createMailer(
  { production, smtpUrl, mailFrom }: Pick<Config, "production" | "smtpUrl" | "mailFrom">,
  log: Log,
  print?: (line: string) => void,
): Mailer {
  if (smtpUrl === null) {
    if (production) throw new Error("Links are never logged in production: SMTP_URL is needed");
    return {
      way: "log",
      async send({ to, subject, text }) {
        const head = `SMTP_URL не задан, письмо не отправлено. Кому: ${to}. ${subject}`;
        log.info({ to, subject, text }, `${head}\n${text}`);
        print?.(`${head}: ${LINK.exec(text)?.[0] ?? text}`);
      },
    };
  }
  let opened: Promise<Transporter> | undefined;
  const transport = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport(
      {
        url: smtpUrl,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: mailFrom },
    );
  };
  return {
    way: "mail",
    async send({ to, subject, text }) {
      opened ??= transport();
      await (await opened).sendMail({ to: { name: "", address: to }, subject, text });
    },
    async check() {
      opened ??= transport();
      await (await opened).verify();
    },
  };
}
