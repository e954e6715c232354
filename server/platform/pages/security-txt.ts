/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Config } from "#server/platform/config.ts";
import { notFound } from "#server/platform/errors.ts";

const DAY_MS = 86_400_000;
/** The RFC recommends less than a year; the day is computed anew at each request. */
const VALID_DAYS = 180;
const Address = z.email();

/** Returns the first e-mail or https address in the operator's contact text as a URI; null: there is none. */
function contactUri(contact: string): string | null {
  for (const word of contact.split(/[\s,;<>()]/)) {
    if (Address.safeParse(word).success) return `mailto:${word}`;
    if (word.startsWith("https://") && URL.canParse(word)) return new URL(word).href;
  }
  return null;
}

/** Answers 404 when the settings name no contact. */
export function mountSecurityTxt(
  app: FastifyInstance,
  { operator, publicUrl }: Pick<Config, "operator" | "publicUrl">,
): void {
  const contact = operator && contactUri(operator.contact);
  app.get("/.well-known/security.txt", (_request, reply) => {
    if (contact === null) throw notFound();
    const expires = new Date((Math.floor(Date.now() / DAY_MS) + VALID_DAYS) * DAY_MS);
    const lines = [
      "# Нашли уязвимость? Напишите сюда, не в открытую, и не проверяйте её на чужих данных.",
      "# Found a weakness? Please write here, not in public, and do not try it on other people's data.",
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      "Preferred-Languages: ru, en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=86400")
      .send(`${lines.join("\n")}\n`);
  });
}
