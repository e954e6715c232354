/** Sends messages of the landing page's visitors to the operator by e-mail. */
import type { FastifyInstance } from "fastify";
import { type ContactInput, contactApi } from "#contract/organizations/contact.ts";
import type { Letter, Mailer } from "#server/accounts/mail/mail.ts";
import type { Config } from "#server/platform/config.ts";
import { upstream } from "#server/platform/errors.ts";
import { route } from "#server/platform/http/route.ts";

interface Deps {
  config: Pick<Config, "superAdminEmail" | "mailFrom">;
  mailer: Mailer;
}

/** Limit per IP address; it is low because the form is public. */
const LIMIT = { max: 5, timeWindow: "1 hour" };

export function mountContactRoutes(app: FastifyInstance, deps: Deps): void {
  route(
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

/** The recipient is the super admin, otherwise the address that the platform sends e-mails from. */
function contactLetter({ superAdminEmail, mailFrom }: Deps["config"], { name, email, message }: ContactInput): Letter {
  return {
    to: superAdminEmail ?? /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom,
    subject: "Обращение с сайта",
    text: `Имя: ${oneLine(name)}\nEmail: ${oneLine(email)}\n\n${message}\n`,
  };
}

// A name with line breaks could pose as another field of the letter.
const oneLine = (text: string) => text.replace(/\s+/g, " ");
