/**
 * Exports the imported history of a person's twins, one file per source, in a format that the import reads again
 * (imports/formats/own-chats.ts).
 */
import { and, asc, eq, gt, sql } from "drizzle-orm";
import {
  OWN_CHATS,
  type OwnChatLine,
  type OwnHead,
  type OwnMessageLine,
  ownPlatformOf,
} from "#server/imports/formats/own-chats.ts";
import { chats, messages, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { type ExportContext, PAGE_BYTES, read } from "./pages.ts";

const PAGE_ROWS = 500;
const NAMES_AT_ONCE = 200;

interface LetterSource {
  id: string;
  twinId: string;
  twinName: string;
  name: string;
  platform: string;
  kind: "paste" | "export" | "integration";
  externalId: string | null;
}

const own = ({ whose }: ExportContext) => and(eq(twins.orgId, whose.organizationId), eq(twins.ownerId, whose.userId));

export async function countLetters(source: ExportContext): Promise<number> {
  if (source.scope !== "account") return 0;
  const [row] = await read(source, (tx) =>
    tx
      .select({ total: sql<number>`count(*)`.mapWith(Number) })
      .from(messages)
      .innerJoin(twins, eq(twins.id, messages.twinId))
      .where(own(source)),
  );
  return row!.total;
}

export async function* letterSources(source: ExportContext): AsyncGenerator<LetterSource> {
  if (source.scope !== "account") return;
  let last: string | null = null;
  for (;;) {
    const page: LetterSource[] = await read(source, (tx) =>
      tx
        .select({
          id: sources.id,
          twinId: twins.id,
          twinName: twins.name,
          name: sources.name,
          platform: sources.platform,
          kind: sources.kind,
          externalId: sources.externalId,
        })
        .from(sources)
        .innerJoin(twins, eq(twins.id, sources.twinId))
        .where(
          and(
            own(source),
            last === null ? undefined : gt(sources.id, last),
            sql`exists (select 1 from ${chats} where ${chats.sourceId} = ${sources.id})`,
          ),
        )
        .orderBy(asc(sources.id))
        .limit(NAMES_AT_ONCE),
    );
    yield* page;
    if (page.length < NAMES_AT_ONCE) return;
    last = page.at(-1)!.id;
  }
}

/** Yields the lines of one source's file, several at a time. @param onRows called with the number of messages read */
export async function* letterLines(
  source: ExportContext,
  letters: LetterSource,
  ownerName: string,
  onRows: (count: number) => Promise<void>,
): AsyncGenerator<string> {
  // `externalId` of an export file's source is its owner; of a pasted conversation it is the other side.
  const owner = { id: (letters.kind === "paste" ? null : letters.externalId) ?? "owner", name: ownerName };
  yield lineOf({ format: OWN_CHATS, version: 1, platform: ownPlatformOf(letters.platform), owner } satisfies OwnHead);
  let last = 0;
  for (;;) {
    const page = await read(source, (tx) =>
      tx
        .select({ id: chats.id, externalId: chats.externalId, name: chats.name, kind: chats.kind })
        .from(chats)
        .where(and(eq(chats.sourceId, letters.id), eq(chats.twinId, letters.twinId), gt(chats.id, last)))
        .orderBy(asc(chats.id))
        .limit(NAMES_AT_ONCE),
    );
    for (const { id, externalId, name, kind } of page) {
      yield lineOf({ chat: { id: externalId, name, kind } } satisfies OwnChatLine);
      yield* messageLines(source, id, owner, onRows);
    }
    if (page.length < NAMES_AT_ONCE) return;
    last = page.at(-1)!.id;
  }
}

async function* messageLines(
  source: ExportContext,
  chatId: number,
  owner: OwnHead["owner"],
  onRows: (count: number) => Promise<void>,
): AsyncGenerator<string> {
  let last: number | null = null;
  for (;;) {
    const rows: MessageRow[] = await readMessages(source, chatId, last);
    if (rows.length === 0) return;
    yield rows.map((row) => lineOf(messageLine(row, owner))).join("");
    await onRows(rows.length);
    last = Number(rows.at(-1)!.id);
  }
}

interface MessageRow extends Record<string, unknown> {
  id: number;
  external_id: string;
  at: string;
  from_owner: boolean;
  person_id: string | null;
  person: string | null;
  text: string;
  kind: OwnMessageLine["kind"];
  reply_to: string | null;
}

/** Returns the next page of messages in the order of the conversation. */
async function readMessages(source: ExportContext, chatId: number, last: number | null): Promise<MessageRow[]> {
  const behind =
    last === null
      ? sql``
      : sql`and (m.sent_at, m.id) > (select l.sent_at, l.id from messages l where l.id = ${last} and l.chat_id = ${chatId})`;
  const { rows } = await read(source, (tx) =>
    tx.execute<MessageRow>(sql`
      select id, external_id, at, from_owner, person_id, person, text, kind, reply_to from (
        select page.*, sum(octet_length(page.text)) over (order by page.sent_at, page.id) as weight from (
          select m.id, m.external_id, m.sent_at, m.from_owner, c.external_id as person_id, c.name as person, m.text, m.kind,
            m.reply_to, to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from messages m left join contacts c on c.id = m.contact_id
          where m.chat_id = ${chatId} ${behind}
          order by m.sent_at, m.id limit ${PAGE_ROWS}) page) weighed
      where weight - octet_length(text) < ${PAGE_BYTES} order by sent_at, id`),
  );
  return rows;
}

const messageLine = (row: MessageRow, owner: OwnHead["owner"]): OwnMessageLine => ({
  id: row.external_id,
  at: row.at,
  fromId: row.from_owner ? owner.id : (row.person_id ?? ""),
  from: row.from_owner ? owner.name : (row.person ?? ""),
  text: row.text,
  kind: row.kind,
  ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
});

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
