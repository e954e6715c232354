import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { named } from "#server/db/named-statement.ts";
import type { Hit } from "./search-segments.ts";
import { type Audience, audiencesOf, openTo, type UnitKind, unitRows } from "./twin-units.ts";

/** What stands in the rows of a found unit, read again under the audience's condition. */
export type UnitContent = PassageContent | ExemplarContent | MessageContent;

export interface PassageContent {
  kind: "passage";
  id: number;
  text: string;
  heading: string | null;
  documentId: string;
  documentName: string;
}

export interface ExemplarContent {
  kind: "exemplar";
  id: number;
  contactId: number;
  /** What the owner answered to; null for anyone but the owner and the contact who wrote it. */
  incoming: string | null;
  reply: string;
  repliedAt: Date;
}

export interface MessageContent {
  kind: "message";
  id: number;
  text: string;
  fromOwner: boolean;
  /** Its author; null when the owner wrote it or nobody is named. */
  contactId: number | null;
  chatId: number;
  chatName: string;
  sentAt: Date;
}

const contents = {
  passage: sql`'text', u.text, 'heading', u.heading, 'documentId', d.id, 'documentName', d.name`,
  exemplar: sql`'contactId', u.contact_id, 'incoming', u.incoming, 'reply', u.reply, 'repliedAt', u.replied_at`,
  message: sql`'text', u.text, 'fromOwner', u.from_owner, 'contactId', u.contact_id, 'chatId', u.chat_id,
    'chatName', (select name from chats where id = u.chat_id), 'sentAt', u.sent_at`,
};

interface Sought extends Record<string, unknown> {
  twinId: string;
  audiences: number[] | null;
}

/** Of each set of kinds its statement: one for all kinds, for a round trip costs more than the reading. */
const contentsOfKinds = new Map<string, (tx: Tx, sought: Sought) => Promise<{ content: UnitContent }[]>>();

function contentsOf(kinds: readonly UnitKind[]) {
  const name = `contents of ${kinds.join(", ")}`;
  let statement = contentsOfKinds.get(name);
  if (statement === undefined) {
    const queries = kinds.map((kind) => {
      const { from, audience } = unitRows[kind];
      return sql`select json_build_object('kind', ${sql.raw(`'${kind}'`)}, 'id', u.id, ${contents[kind]}) as content from ${from}
        where u.twin_id = ${sql.placeholder("twinId")} and u.id = any(${sql.placeholder(kind)}::bigint[]) and ${openTo("audiences", audience)}`;
    });
    statement = named(name, sql.join(queries, sql` union all `));
    contentsOfKinds.set(name, statement);
  }
  return statement;
}

/** The contents of the hits that still exist and that this audience may see, by kind and id. */
export async function readContents(
  tx: Tx,
  twinId: string,
  audience: Audience,
  hits: readonly Hit[],
): Promise<Map<string, UnitContent>> {
  const found = new Map<string, UnitContent>();
  if (hits.length === 0) return found;
  const ids = Map.groupBy(hits, (hit) => hit.kind as UnitKind);
  const sought: Sought = { twinId, audiences: audiencesOf(audience) };
  for (const [kind, ofKind] of ids) sought[kind] = [...new Set(ofKind.map((hit) => hit.id))];
  const rows = await contentsOf([...ids.keys()].sort())(tx, sought);
  for (const { content } of rows) found.set(`${content.kind} ${content.id}`, forEyesOf(audience, content));
  return found;
}

/** The reply of a pair may be open to all while what it answered belongs to the one who wrote it. */
function forEyesOf(audience: Audience, content: UnitContent): UnitContent {
  if (content.kind === "passage") return content;
  if (content.kind === "message") return { ...content, sentAt: new Date(content.sentAt) };
  const theirs = audience.kind === "owner" || (audience.kind === "contact" && audience.contactId === content.contactId);
  return { ...content, incoming: theirs ? content.incoming : null, repliedAt: new Date(content.repliedAt) };
}

/** Characters, of what asks and of anything else. */
const SHORT = 120;
const WORD = 50;

export interface ShortReply {
  contactId: number;
  reply: string;
}

const shortReplies = named<
  { twinId: string; ids: readonly number[]; audiences: number[] | null; contactId: number | null },
  ShortReply
>(
  "short replies",
  sql`select u.contact_id as "contactId", u.reply from ${unitRows.exemplar.from}
    where u.twin_id = ${sql.placeholder("twinId")} and u.id = any(${sql.placeholder("ids")}::bigint[])
    and ${openTo("audiences", unitRows.exemplar.audience)}
    and length(u.reply) <= ${sql.raw(`${SHORT}`)} and (length(u.reply) <= ${sql.raw(`${WORD}`)} or position('?' in u.reply) > 0)
    and u.reply !~ '[0-9@]' and (${sql.placeholder("contactId")}::bigint is null or
      (select c.style_group from contacts c where c.id = u.contact_id) is not distinct from
        (select style_group from contacts where id = ${sql.placeholder("contactId")}::bigint))`,
);

/**
 * Of these pairs the short replies without a number or an address, as far as this audience may see them; for a contact those that were
 * said to contacts of the same group of manner.
 */
export async function readShortReplies(
  tx: Tx,
  twinId: string,
  audience: Audience,
  ids: readonly number[],
): Promise<ShortReply[]> {
  if (ids.length === 0) return [];
  const contactId = audience.kind === "contact" ? audience.contactId : null;
  return shortReplies(tx, { twinId, ids, audiences: audiencesOf(audience), contactId });
}

/** Of a contact's own pairs, and of others' replies. */
const OWN_EXCHANGES = 6;
const OTHERS_EXCHANGES = 8;
/** Characters; longer ones show a matter, not a manner. */
const EXCHANGE = 400;

interface ExchangeQuery {
  /** Others' pairs are looked for among these. */
  among: readonly number[];
  leftOut: readonly number[];
  /** Of others' pairs: of this group of manner only. */
  group: string | null;
}

interface SoughtExchanges extends Record<string, unknown> {
  twinId: string;
  /** 0: nobody's. */
  contactId: number;
  audiences: number[] | null;
  among: readonly number[];
  leftOut: readonly number[];
  group: string | null;
}

const soughtExchanges = (() => {
  const { from, audience } = unitRows.exemplar;
  const length = sql.raw(`${EXCHANGE}`);
  const contactId = sql`${sql.placeholder("contactId")}::bigint`;
  const group = sql`${sql.placeholder("group")}::text`;
  const visible = sql`u.twin_id = ${sql.placeholder("twinId")} and ${openTo("audiences", audience)}
    and length(u.reply) <= ${length} and length(u.incoming) <= ${length}`;
  // Written out only once chosen: of a contact there may be thousands. Joined, the contacts were looked through for each pair.
  return named<SoughtExchanges, { content: UnitContent }>(
    "exchanges",
    sql`
    select json_build_object('kind', 'exemplar', 'id', u.id, ${contents.exemplar}) as content from (
      (select u.* from ${from}
        where u.contact_id = ${contactId} and ${visible} and u.id <> all(${sql.placeholder("leftOut")}::bigint[])
        order by u.replied_at desc, u.id desc limit ${sql.raw(`${OWN_EXCHANGES}`)})
      union all
      (select u.* from ${from}
        where u.id = any(${sql.placeholder("among")}::bigint[]) and u.contact_id <> ${contactId} and ${visible}
        and u.reply !~ '[0-9@]'
        and (${group} is null or (select c.style_group from contacts c where c.id = u.contact_id) = ${group})
        order by u.replied_at desc, u.id desc limit ${sql.raw(`${OTHERS_EXCHANGES}`)})
    ) u`,
  );
})();

/** The contact's own newest pairs, then the newest of the others, which hold no number and no address, as far as this audience may see them. */
export async function readExchanges(
  tx: Tx,
  twinId: string,
  audience: Audience,
  query: ExchangeQuery,
): Promise<ExemplarContent[]> {
  const contactId = audience.kind === "contact" ? audience.contactId : 0;
  const rows = await soughtExchanges(tx, { twinId, contactId, audiences: audiencesOf(audience), ...query });
  return rows.map(({ content }) => forEyesOf(audience, content) as ExemplarContent);
}
