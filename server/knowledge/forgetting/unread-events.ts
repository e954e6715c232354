/** Deletes unreadable events together with the contact they came from, because they contain the contact's words. */
import { and, eq, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { integrationEvents, integrations, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import type { conversations } from "#server/platform/db/schema/conversations.ts";
import type { contacts } from "#server/platform/db/schema/knowledge.ts";

type Contact = typeof contacts.$inferSelect;
type ConversationRow = typeof conversations.$inferSelect;

/** Minimum length of a name to search for; shorter ones occur inside other words. */
const TELLING_NAME = 3;

/**
 * Deletes events set aside in the twin's integrations, and lines of their logs, that name the contact. The sender of an unread event is
 * unknown, so the platform's names for the contact are searched for. Runs in the transaction that forgets the contact.
 */
export async function forgetUnread(tx: Tx, contact: Contact, rows: readonly ConversationRow[]): Promise<void> {
  const named = whereNamed([contact.externalId, contact.handle, ...rows.map(({ externalId }) => externalId)]);
  const names = [...new Set([contact.name, ...rows.map(({ participantName }) => participantName)])].filter(
    (name) => name.length >= TELLING_NAME,
  );
  const ofTwin = tx
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.twinId, contact.twinId), sql`${integrations.platform} = ${contact.platform}`));
  const gone = await tx
    .delete(setAsideEvents)
    .where(
      and(
        inArray(setAsideEvents.integrationId, ofTwin),
        or(
          sql`${setAsideEvents.title} ~* ${named}`,
          sql`${plainOf(sql`${setAsideEvents.raw}::text`)} ~* ${named}`,
          ...names.map((name) => sql`strpos(lower(${setAsideEvents.title}), lower(${name})) > 0`),
        ),
      ),
    )
    .returning({ title: setAsideEvents.title });
  // An e-mail's title has sender and subject; other events are titled «Сообщение».
  const told = [...new Set(gone.map(({ title }) => title))].filter((title) => title.includes(" "));
  await tx
    .delete(integrationEvents)
    .where(
      and(
        inArray(integrationEvents.integrationId, ofTwin),
        or(
          sql`${integrationEvents.text} ~* ${named}`,
          ...told.map((title) => sql`starts_with(${integrationEvents.text}, ${title})`),
        ),
      ),
    );
}

/**
 * A POSIX expression (matched by PostgreSQL in linear time) for any of the ids as a separate word. Exports write `user7` where a bot's
 * update has 7, and «+7 999 111-22-33» where WhatsApp has 79991112233.
 */
function whereNamed(ids: readonly (string | null)[]): string {
  const forms = ids.flatMap((id) => {
    if (id === null || id === "") return [];
    const digits = id.replace(/\D/g, "");
    const isNumber = /^(?:user|@|\+)?[\d -]+$/.test(id) && digits !== "";
    return isNumber ? [id, digits] : [id, id.replace(/^@/, "")];
  });
  const words = [...new Set(forms)].map((form) => form.replace(/[^\p{L}\p{N}_]/gu, "\\$&"));
  return `(^|[^[:alnum:]_])(${words.join("|")})([^[:alnum:]_]|$)`;
}

/**
 * JSON text with its escapes replaced by spaces, so that the «n» of `
 * ` does not become part of the next word.
 */
const plainOf = (json: ReturnType<typeof sql>) =>
  sql`regexp_replace(${json}, '\\\\([bfnrt"\\\\]|u[0-9a-fA-F]{4})', ' ', 'g')`;
