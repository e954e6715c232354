import { sql } from "drizzle-orm";
import {
  type Audience,
  audienceSql,
  audiencesOf,
  mayReadKind,
  type UnitKind,
  unitRows,
} from "#server/knowledge/embeddings/twin-units.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { namedStatement } from "#server/platform/db/named-statement.ts";
import type { UnitHit } from "./ranking/found-unit.ts";

/** Contents of found units, read again with the audience's condition. */
export type UnitContent = ChunkContent | ReplyExampleContent | OpenContent | MessageContent;

export interface ChunkContent {
  kind: "chunk";
  id: number;
  text: string;
  heading: string | null;
  documentId: string;
  documentName: string;
  /** Absent for documents in memory. */
  documentType?: string;
  /** ISO 8601; absent for documents in memory. */
  documentDate?: string;
}

export interface ReplyExampleContent {
  kind: "example";
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
  repliedAt: Date;
}

export interface OpenContent {
  kind: "open";
  id: number;
  /** The question as edited by the owner; for a recurring reply, a wording that several people used. */
  question: string;
  reply: string;
  /** Whether the owner published it; otherwise it is public because several people received it. */
  opened: boolean;
  people: number;
}

export interface MessageContent {
  kind: "message";
  id: number;
  text: string;
  fromOwner: boolean;
  /** Author of the message; null when the owner wrote it or no author is known. */
  contactId: number | null;
  chatId: number;
  chatName: string;
  sentAt: Date;
}

const contents = {
  chunk: sql`'text', u.text, 'heading', u.heading, 'documentId', d.id, 'documentName', d.name,
    'documentType', d.type, 'documentDate', d.created_at`,
  example: sql`'contactId', u.contact_id, 'incoming', u.incoming, 'reply', u.reply, 'repliedAt', u.replied_at`,
  open: sql`'question', u.question, 'reply', u.reply, 'opened', u.origin = 'opened', 'people', u.people`,
  message: sql`'text', u.text, 'fromOwner', u.from_owner, 'contactId', u.contact_id, 'chatId', u.chat_id,
    'chatName', (select name from chats where id = u.chat_id), 'sentAt', u.sent_at`,
};

interface Sought extends Record<string, unknown> {
  twinId: string;
  audiences: number[] | null;
}

/** One prepared statement per set of kinds, because a round trip costs more than the reading. */
const contentsOfKinds = new Map<string, (tx: Tx, sought: Sought) => Promise<{ content: UnitContent }[]>>();

function contentsOf(kinds: readonly UnitKind[]) {
  const name = `contents of ${kinds.join(", ")}`;
  let statement = contentsOfKinds.get(name);
  if (statement === undefined) {
    const queries = kinds.map((kind) => {
      const { from, audience, indexed } = unitRows[kind];
      return sql`select json_build_object('kind', ${sql.raw(`'${kind}'`)}, 'id', u.id, ${contents[kind]}) as content from ${from}
        where u.twin_id = ${sql.placeholder("twinId")} and u.id = any(${sql.placeholder(kind)}::bigint[]) and ${indexed}
        and ${audienceSql("audiences", audience)}`;
    });
    statement = namedStatement(name, sql.join(queries, sql` union all `));
    contentsOfKinds.set(name, statement);
  }
  return statement;
}

/** Returns the contents of the hits that still exist and that this audience may see, by kind and id. */
export async function readContents(
  tx: Tx,
  twinId: string,
  audience: Audience,
  hits: readonly UnitHit[],
): Promise<Map<string, UnitContent>> {
  const found = new Map<string, UnitContent>();
  if (hits.length === 0) return found;
  const ids = Map.groupBy(hits, (hit) => hit.kind as UnitKind);
  mustMeet(audience, ids.keys());
  const sought: Sought = { twinId, audiences: audiencesOf(audience) };
  for (const [kind, ofKind] of ids) sought[kind] = [...new Set(ofKind.map((hit) => hit.id))];
  const rows = await contentsOf([...ids.keys()].sort())(tx, sought);
  for (const { content } of rows) found.set(`${content.kind} ${content.id}`, dated(content));
  return found;
}

/** Prevents a statement on private rows from being built for an audience that may not read them. @throws RangeError */
function mustMeet(audience: Audience, kinds: Iterable<UnitKind>): void {
  for (const kind of kinds)
    if (!mayReadKind(audience, kind)) throw new RangeError(`a ${audience.kind} meets no ${kind}`);
}

function dated(content: UnitContent): UnitContent {
  if (content.kind === "message") return { ...content, sentAt: new Date(content.sentAt) };
  return content.kind === "example" ? { ...content, repliedAt: new Date(content.repliedAt) } : content;
}

/** Chunks beyond which a knowledge base is searched, whatever their length. */
const MAX_WHOLE_CHUNKS = 400;

const allChunks = namedStatement<
  { twinId: string; audiences: number[] | null; characters: number },
  { content: ChunkContent }
>(
  "all chunks",
  sql`with those as materialized (
      select u.id, u.document_id, u.text, u.heading from chunks u
        where u.twin_id = ${sql.placeholder("twinId")} and ${audienceSql("audiences", unitRows.chunk.audience)}
        order by u.id limit ${sql.raw(`${MAX_WHOLE_CHUNKS + 1}`)}),
    sizes as (select count(*) as units, coalesce(sum(length(text) + length(coalesce(heading, ''))), 0) as characters from those)
    select json_build_object('kind', 'chunk', 'id', u.id, ${contents.chunk}) as content
      from those u join documents d on d.id = u.document_id, sizes
      where sizes.units <= ${sql.raw(`${MAX_WHOLE_CHUNKS}`)} and sizes.characters <= ${sql.placeholder("characters")}
      order by d.created_at, d.name, d.id, u.id`,
);

/**
 * Returns all chunks that the audience may see, in an order that changes only with the documents; empty when there are none or they do not
 * fit.
 * @param characters of texts and headings together
 */
export async function readAllChunks(
  tx: Tx,
  twinId: string,
  audience: Audience,
  characters: number,
): Promise<ChunkContent[]> {
  const rows = await allChunks(tx, { twinId, audiences: audiencesOf(audience), characters });
  return rows.map(({ content }) => content);
}

const neighbours = namedStatement<
  { twinId: string; ids: readonly number[]; audiences: number[] | null },
  { content: ChunkContent }
>(
  "neighbours of chunks",
  sql`select json_build_object('kind', 'chunk', 'id', u.id, ${contents.chunk}) as content from ${unitRows.chunk.from}
    where u.twin_id = ${sql.placeholder("twinId")} and ${audienceSql("audiences", unitRows.chunk.audience)}
    and u.id <> all(${sql.placeholder("ids")}::bigint[])
    and exists (select from chunks hit where hit.id = any(${sql.placeholder("ids")}::bigint[]) and hit.twin_id = u.twin_id
      and hit.document_id = u.document_id and hit.ordinal in (u.ordinal - 1, u.ordinal + 1))
    order by u.document_id, u.ordinal`,
);

/** Returns the chunks directly before and after these in their documents that the audience may see, without these themselves. */
export async function readNeighbours(
  tx: Tx,
  twinId: string,
  audience: Audience,
  ids: readonly number[],
): Promise<ChunkContent[]> {
  if (ids.length === 0) return [];
  mustMeet(audience, ["chunk"]);
  const rows = await neighbours(tx, { twinId, ids, audiences: audiencesOf(audience) });
  return rows.map(({ content }) => content);
}

/** Maximum characters of a short reply that asks back. */
const SHORT = 120;
/** Maximum characters of any other short reply. */
const WORD = 50;
/** Number of characters that are read of the message before it. */
const ASKED = 200;

export interface ShortReply {
  contactId: number;
  incoming: string;
  reply: string;
}

const shortReplies = namedStatement<{ twinId: string; ids: readonly number[]; audiences: number[] | null }, ShortReply>(
  "short replies",
  sql`select u.contact_id as "contactId", left(u.incoming, ${sql.raw(`${ASKED}`)}) as incoming, u.reply from ${unitRows.example.from}
    where u.twin_id = ${sql.placeholder("twinId")} and u.id = any(${sql.placeholder("ids")}::bigint[])
    and ${audienceSql("audiences", unitRows.example.audience)}
    and length(u.reply) <= ${sql.raw(`${SHORT}`)} and (length(u.reply) <= ${sql.raw(`${WORD}`)} or position('?' in u.reply) > 0)
    and u.reply !~ '[0-9@]'`,
);

/** Returns the short replies among these pairs that contain no number or address and that this audience may see. */
export async function readShortReplies(
  tx: Tx,
  twinId: string,
  audience: Audience,
  ids: readonly number[],
): Promise<ShortReply[]> {
  if (ids.length === 0) return [];
  mustMeet(audience, ["example"]);
  return shortReplies(tx, { twinId, ids, audiences: audiencesOf(audience) });
}

/** Maximum number of the contact's own pairs; `OTHERS_EXCHANGES` limits published replies and, for the owner, pairs with other people. */
const OWN_EXCHANGES = 16;
const OTHERS_EXCHANGES = 8;
/** Maximum characters of a message; longer ones show a topic rather than the owner's style. */
const EXCHANGE = 400;

const [exchangeLength, ownExchanges, othersExchanges] = [EXCHANGE, OWN_EXCHANGES, OTHERS_EXCHANGES].map((number) =>
  sql.raw(`${number}`),
);
const shortPair = sql`u.twin_id = ${sql.placeholder("twinId")} and length(u.reply) <= ${exchangeLength} and length(u.incoming) <= ${exchangeLength}
    and u.id <> all(${sql.placeholder("leftOut")}::bigint[])`;

// Texts are read only for the chosen rows, because one contact may have thousands.
const contactsExchanges = namedStatement<
  { twinId: string; contactId: number; leftOut: readonly number[] },
  { content: ReplyExampleContent }
>(
  "contact's exchanges",
  sql`select json_build_object('kind', 'example', 'id', u.id, ${contents.example}) as content from (
      select u.* from reply_examples u where u.contact_id = ${sql.placeholder("contactId")}::bigint and ${shortPair}
      order by u.replied_at desc, u.id desc limit ${ownExchanges}) u`,
);

const ofGroup = sql`(${sql.placeholder("group")}::text is null
    or (select c.style_group from contacts c where c.id = u.contact_id) = ${sql.placeholder("group")}::text)`;

const ownersExchanges = namedStatement<
  { twinId: string; among: readonly number[]; leftOut: readonly number[]; group: string | null },
  { content: ReplyExampleContent }
>(
  "owner's exchanges",
  sql`select json_build_object('kind', 'example', 'id', u.id, ${contents.example}) as content from (
      select u.* from reply_examples u where u.id = any(${sql.placeholder("among")}::bigint[]) and ${shortPair} and u.reply !~ '[0-9@]'
      and ${ofGroup} order by u.replied_at desc, u.id desc limit ${othersExchanges}) u`,
);

const openSamples = namedStatement<
  { twinId: string; contactId: number; leftOut: readonly number[]; group: string | null },
  { content: OpenContent }
>(
  "open samples",
  sql`select json_build_object('kind', 'open', 'id', u.id, ${contents.open}) as content from (
      select u.* from ${unitRows.open.from} where u.twin_id = ${sql.placeholder("twinId")} and ${unitRows.open.indexed}
      and length(u.reply) <= ${exchangeLength} and u.reply !~ '[0-9@]' and u.id <> all(${sql.placeholder("leftOut")}::bigint[])
      and (u.contact_id is null or (u.contact_id <> ${sql.placeholder("contactId")}::bigint and ${ofGroup})) order by u.id desc limit ${othersExchanges}) u`,
);

export interface WantedExchanges {
  among: readonly number[];
  leftOut: readonly number[];
  openLeftOut: readonly number[];
  /** Restricts pairs with other contacts to this style group; null: any group. */
  group: string | null;
  others: boolean;
}

/**
 * Returns the contact's newest pairs, then the newest public ones; for the owner the newest of `among`. Replies to other people are
 * included only without numbers and addresses.
 */
export async function readExchanges(
  tx: Tx,
  twinId: string,
  audience: Audience,
  { among, leftOut, openLeftOut, group, others }: WantedExchanges,
): Promise<(ReplyExampleContent | OpenContent)[]> {
  const found: { content: ReplyExampleContent | OpenContent }[] = [];
  if (audience.kind === "owner") found.push(...(await ownersExchanges(tx, { twinId, among, leftOut, group })));
  // Contact ids start at 1, so 0 matches none.
  const contactId = audience.kind === "contact" ? audience.contactId : 0;
  if (contactId > 0) found.push(...(await contactsExchanges(tx, { twinId, contactId, leftOut })));
  if (audience.kind !== "owner" && others)
    found.push(...(await openSamples(tx, { twinId, contactId, leftOut: openLeftOut, group })));
  return found.map(({ content }) => dated(content) as ReplyExampleContent | OpenContent);
}
