/** Letters of the landing page's visitors to whoever runs the platform. */
import type { FastifyInstance } from "fastify";
import { type ContactInput, contactApi } from "#contract/contact.ts";
import type { Letter, Mailer } from "#server/auth/mail.ts";
import type { Config } from "#server/config.ts";
import { upstream } from "#server/errors.ts";
import { on } from "#server/http.ts";

interface Deps {
  config: Pick<Config, "superAdminEmail" | "mailFrom">;
  mailer: Mailer;
}

/** Anybody may write, so few letters of one address are enough. */
const LIMIT = { max: 5, timeWindow: "1 hour" };

export function mountContactRoutes(app: FastifyInstance, deps: Deps): void {
  on(
    app,
    contactApi.send,
    async ({ input }) => {
      try {
        await deps.mailer.send(contactLetter(deps.config, input));
      } catch (cause) {
        throw upstream("mail_failed", "Письмо сейчас отправить нельзя. Попробуйте позже.", { cause });
      }
      return { success: true as const, letter: deps.mailer.way };
    },
    { rateLimit: LIMIT },
  );
}

/** To the super administrator, or to the address that the platform itself writes from. */
function contactLetter({ superAdminEmail, mailFrom }: Deps["config"], { name, email, message }: ContactInput): Letter {
  return {
    to: superAdminEmail ?? /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom,
    subject: "Обращение с сайта",
    text: `Имя: ${oneLine(name)}\nEmail: ${oneLine(email)}\n\n${message}\n`,
  };
}

// A name of several lines could pose as another field of the letter.
const oneLine = (text: string) => text.replace(/\s+/g, " ");
