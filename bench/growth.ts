/**
 * What grows with the number of messages, on PostgreSQL: `npm run bench:growth`. Two organisations have conversations with contacts: a small one of
 * 1,000 messages, whatever else there is, and a large one with a third of all; ninety-eight others have the rest. Prints for
 * `GROWTH_SIZES` (100000,1000000,3000000) the bytes of a message by table, the p50 of what people open, and at the end what it costs to let
 * a month of activity go by its partition and row by row.
 */
import { Console } from "node:console";
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { sql } from "drizzle-orm";
import { conversationTotals, listConversations } from "#server/inbox/conversations/conversations.ts";
import { searchMessages } from "#server/inbox/conversations/search-messages.ts";
import { conversationTranscript } from "#server/inbox/conversations/transcript.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { dashboardStats } from "#server/operations/analytics/dashboard.ts";
import { recentActivity } from "#server/operations/analytics/recent-activity.ts";
import { loadReport } from "#server/operations/analytics/report.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { deleteOldOfTenants } from "#server/platform/db-upkeep/delete-old.ts";
import { maintainMonthPartitions } from "#server/platform/db-upkeep/month-partitions.ts";
import { materialOf } from "./material/reply-material.ts";
import { twinOfTalks } from "./material/talking-twin.ts";
import { withPostgres } from "./postgres/with-postgres.ts";

const out = new Console(process.stdout);
const SIZES = (process.env.GROWTH_SIZES ?? "100000,1000000,3000000").split(",").map(Number);
const OTHERS = 98;
const SMALL = 1000;
/** Messages of one conversation. */
const LONG = 20;
const RUNS = 15;
const DAY = 24 * 3600_000;
/** Rows of a message: it is stored once, and every second one is delivered by a contact and has an answer. */
const TABLES = ["conversation_messages", "conversations", "inbox_events", "outbox", "activity", "daily_usage"];

interface Place extends Tenant {
  twinId: string;
  integrationId: string;
}

await withPostgres(async (db) => {
  const began = performance.now();
  const questions = materialOf({ chunks: 1, messages: 2000, questions: 50 });
  const talk = { name: "Анна", kind: "private" as const };
  const lines = questions.messages.map((text, at) => ({ author: at % 2 === 0 ? "a" : null, text, at: at * 60_000 }));
  const small = await withIntegration(db, await twinOfTalks(db, [{ ...talk, lines }]));
  await buildTwinIndex(db, small, small.twinId);
  const large = await withIntegration(db, await twinOfTalks(db, []));
  const others = [];
  for (let at = 0; at < OTHERS; at++) others.push(await withIntegration(db, await twinOfTalks(db, [])));
  await fill(db, small, SMALL);

  const asked: Record<string, Record<string, string>> = {};
  const sizes: Record<string, Record<string, string>> = {};
  let there = SMALL;
  for (const size of SIZES) {
    const [wanted, filling] = [size - there, performance.now()];
    await fill(db, large, Math.round(wanted / 3));
    const each = Math.round((wanted * 2) / 3 / OTHERS);
    for (const other of others) await fill(db, other, each);
    there = size;
    await db.execute(sql`vacuum analyze`);
    out.log(`${size} messages, filled in ${seconds(filling)} s, load ${loadavg()[0]!.toFixed(1)}`);
    sizes[size] = await weigh(db, size);
    for (const [name, place] of [
      ["small", small],
      ["large", large],
    ] as const) {
      asked[`${name}, of ${size}`] = await ask(db, place, questions.questions);
    }
  }
  out.table(sizes);
  out.table(asked);
  out.table(await letGo(db, large));
  out.log(`${seconds(began)} s in all`);
});

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

async function withIntegration(db: Database, { tenant, twinId }: { tenant: Tenant; twinId: string }): Promise<Place> {
  const integrationId = randomUUID();
  await asTenant(db, tenant, (tx) =>
    tx.execute(sql`insert into integrations (id, org_id, twin_id, platform, credentials)
      values (${integrationId}, ${tenant.organizationId}, ${twinId}, 'telegram', '')`),
  );
  return { ...tenant, twinId, integrationId };
}

/** Conversations of `LONG` messages each, spread over a month; as the superuser of a throw-away server, without triggers and checks. */
async function fill(db: Database, { organizationId: org, twinId, integrationId }: Place, messages: number) {
  const talks = Math.ceil(messages / LONG);
  const words = "Здравствуйте, подскажите, пожалуйста, когда привезут заказ и сколько стоит доставка по городу ";
  const at = "now() - (n % 2592000) * interval '1 second'";
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica; set local statement_timeout = 0`);
    await tx.execute(sql`create temp table made on commit drop as
      select gen_random_uuid() as id, n from generate_series(1, ${talks}::int) n`);
    await tx.execute(sql`
      insert into conversations (id, org_id, twin_id, platform, participant_name, message_count, last_message, integration_id, external_id, updated_at)
      select id, ${org}::uuid, ${twinId}::uuid, 'telegram', 'Покупатель ' || n, ${LONG}, ${words}, ${integrationId}::uuid, id::text, ${sql.raw(at)}
      from made`);
    await tx.execute(sql`
      insert into conversation_messages (org_id, conversation_id, role, content, citations, duration_ms, created_at)
      select ${org}::uuid, id, case line % 2 when 1 then 'user' else 'assistant' end, ${words} || n || '-' || line,
        case line % 2 when 0 then jsonb_build_object('sources', jsonb_build_array(jsonb_build_object('id', id, 'name', 'Доставка и оплата', 'quote', ${words}::text)),
          'confidence', 0.87, 'basis', 'knowledge') end,
        case line % 2 when 0 then 140 end, ${sql.raw(at)}
      from made, generate_series(1, ${LONG}) line`);
    await tx.execute(sql`
      insert into inbox_events (org_id, integration_id, event_id, conversation_key, position, inbound, status, received_at)
      select ${org}::uuid, ${integrationId}::uuid, id || '-' || line, id::text, line,
        jsonb_build_object('eventId', id || '-' || line, 'conversation', id, 'position', line, 'text', ${words}::text,
          'peer', jsonb_build_object('id', n, 'name', 'Покупатель ' || n)), 'done', ${sql.raw(at)}
      from made, generate_series(1, ${LONG / 2}) line`);
    await tx.execute(sql`
      insert into outbox (org_id, integration_id, conversation_id, question, text, state, confidence, citations, external_ids, created_at, sent_at)
      select ${org}::uuid, ${integrationId}::uuid, id, ${words}, ${words} || line, 'sent', 0.87,
        jsonb_build_object('sources', jsonb_build_array(jsonb_build_object('id', id, 'name', 'Доставка и оплата', 'quote', ${words}::text))),
        array[line::text], ${sql.raw(at)}, ${sql.raw(at)}
      from made, generate_series(1, ${LONG / 2}) line`);
    await tx.execute(sql`
      insert into activity (org_id, twin_id, type, twin_name, description, conversation_id, created_at)
      select ${org}::uuid, ${twinId}::uuid, 'response_generated', 'Двойник', 'Ответ на «' || left(${words}::text, 80) || '»', id, now()
      from made, generate_series(1, ${LONG / 2}) line`);
    await tx.execute(sql`
      insert into daily_usage (org_id, twin_id, day, messages)
      select ${org}::uuid, ${twinId}::uuid, to_char(now() - n * interval '1 day', 'YYYY-MM-DD'), ${Math.round(messages / 30)}
      from generate_series(0, 29) n on conflict do nothing`);
  });
}

/** Bytes of a message. */
async function weigh(db: Database, messages: number): Promise<Record<string, string>> {
  const { rows } = await db.execute(sql`
    select given.name, sum(pg_total_relation_size(leaf.relid))::float8 as whole, sum(pg_indexes_size(leaf.relid))::float8 as indexes
    from unnest(${sql.param(TABLES)}::text[]) as given(name), lateral pg_partition_tree(given.name::regclass) as leaf
    where leaf.isleaf group by 1`);
  const alone = await db.execute(sql`
    select given.name, pg_total_relation_size(given.name::regclass)::float8 as whole, pg_indexes_size(given.name::regclass)::float8 as indexes
    from unnest(${sql.param(TABLES)}::text[]) as given(name) where given.name <> 'activity'`);
  const found = [...rows.filter(({ name }) => name === "activity"), ...alone.rows] as {
    name: string;
    whole: number;
    indexes: number;
  }[];
  const each = (bytes: number) => (bytes / messages).toFixed(0);
  const sum = (of: "whole" | "indexes") => found.reduce((total, row) => total + row[of], 0);
  return {
    ...Object.fromEntries(found.map(({ name, whole, indexes }) => [name, `${each(whole)} (${each(indexes)})`])),
    "all (of that indexes)": `${each(sum("whole"))} (${each(sum("indexes"))})`,
    GB: (sum("whole") / 2 ** 30).toFixed(2),
  };
}

/** Median in ms of what a member opens. */
async function ask(db: Database, place: Place, questions: readonly string[]): Promise<Record<string, string>> {
  const caller = { ...place, role: "org_admin" as const };
  const [talk] = await listConversations(db, caller, {});
  let turn = 0;
  const search = () => {
    const query = questions[turn++ % questions.length]!;
    const wanted = {
      twinId: place.twinId,
      audience: { kind: "owner" as const },
      query,
      kinds: ["message" as const],
      limit: 5,
    };
    return asTenant(db, place, (tx) => searchTwin(tx, wanted));
  };
  const old = sql`${inboxEvents.receivedAt} < now() - interval '90 days'`;
  const works: Record<string, () => Promise<unknown>> = {
    "inbox list": () => listConversations(db, caller, {}),
    "list searched, nowhere": () => listConversations(db, caller, { q: "небывальщина" }),
    "messages: nowhere": () => searchMessages(db, caller, { q: "небывальщина" }),
    "messages: in few": () => searchMessages(db, caller, { q: "городу 777" }),
    "messages: in all": () => searchMessages(db, caller, { q: "доставка" }),
    // Nowhere as typed: in another form in all, and a word whose beginning all hold and none in a form of it («сколько»).
    "messages: forms in all": () => searchMessages(db, caller, { q: "доставками" }),
    "messages: no form, in all": () => searchMessages(db, caller, { q: "скола" }),
    "list: no form, in all": () => listConversations(db, caller, { q: "скола" }),
    totals: () => conversationTotals(db, caller),
    transcript: () => conversationTranscript(db, caller, talk!.id),
    "search of a twin": search,
    dashboard: () => dashboardStats(db, caller),
    activity: () => recentActivity(db, caller),
    report: () => loadReport(db, caller, { days: "30" }),
    "cleanup, nothing old": () => deleteOldOfTenants(db, inboxEvents, old),
  };
  const row: Record<string, string> = {};
  for (const [name, work] of Object.entries(works)) {
    const first = await timed(work);
    const times: number[] = [first];
    // What takes seconds is asked twice.
    const runs = first > 1000 ? 1 : RUNS;
    for (let run = 0; run < runs; run++) times.push(await timed(work));
    row[name] = times
      .slice(1)
      .sort((a, b) => a - b)
      [Math.floor(runs / 2)]!.toFixed(1);
  }
  return row;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A million rows of a month: in a partition of its own, and among rows that stay. */
async function letGo(db: Database, { organizationId, twinId }: Place): Promise<Record<string, Record<string, string>>> {
  const month = Date.UTC(2040, 2, 1);
  const rows = 1_000_000;
  const add = (at: string) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica; set local statement_timeout = 0`);
      await tx.execute(sql`
        insert into activity (org_id, twin_id, type, twin_name, description, created_at)
        select ${organizationId}::uuid, ${twinId}::uuid, 'response_generated', 'Двойник', repeat('Ответ ', 14), ${at}::timestamptz + n * interval '1 second'
        from generate_series(1, ${rows}::int) n`);
    });
  const size = async (name: string) => {
    const { rows: found } = await db.execute(sql`
      select pg_total_relation_size(to_regclass(${`partitions.${name}`}))::float8 / 1048576 as mb`);
    return found[0]!.mb === null ? "0" : (found[0]!.mb as number).toFixed(0);
  };
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const [before, from] = [await size(name), await wal(db)];
    const began = performance.now();
    await work();
    const ms = (performance.now() - began).toFixed(0);
    return { ms, "WAL, MB": ((await wal(db)) - from).toFixed(1), "MB before": before, "MB after": await size(name) };
  };
  // Rows that have had their time, in one partition with as many that have not.
  await db.execute(sql`delete from activity`);
  await db.execute(sql`vacuum full partitions.activity_before`);
  await add("2010-01-01");
  await add(new Date(Date.now() - 20 * DAY).toISOString());
  await db.execute(sql`checkpoint`);
  const deleted = await measure("activity_before", () =>
    maintainMonthPartitions(db, "activity", { now: Date.now(), before: Date.UTC(2012, 0, 1) }),
  );
  const vacuumed = await measure("activity_before", () => db.execute(sql`vacuum partitions.activity_before`));
  await maintainMonthPartitions(db, "activity", { now: month, before: 0 });
  await add("2040-03-01");
  await db.execute(sql`checkpoint`);
  const dropped = await measure("activity_2040_03", () => db.execute(sql`drop table partitions.activity_2040_03`));
  return {
    "a month's partition dropped": dropped,
    "row by row, half of a partition": deleted,
    "vacuum afterwards": vacuumed,
  };
}

async function wal(db: Database): Promise<number> {
  const { rows } = await db.execute(sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1048576 as mb`);
  return rows[0]!.mb as number;
}
