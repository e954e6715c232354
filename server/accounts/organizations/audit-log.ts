/** Reads the audit log: an organisation's own for its administrators, all of it for the platform's. */
import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import { innerQuotes } from "#contract/inner-quotes.ts";
import {
  AUDIT_ACTIONS,
  AUDIT_DETAILS,
  AUDIT_EXPORT_ROWS,
  AUDIT_VALUES,
  type AuditAction,
  type AuditEntry,
  type AuditExport,
  type AuditFilter,
} from "#contract/organizations/audit.ts";
import { PAGE_SIZE } from "#contract/organizations/organizations.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { auditLog, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { searchPattern } from "./platform-rows.ts";

type Filter = z.output<typeof AuditFilter>;
type Row = typeof auditLog.$inferSelect;

/** The reader: `whole` for the platform's administrator, otherwise limited to the organisation. */
type LogReader = { userId: string; organizationId: string; whole?: false } | { userId: string; whole: true };

/** Lists the newest first, page by page. The caller has checked that the reader may read the log. */
export async function listAudit(
  db: Database,
  reader: LogReader,
  { after, ...filter }: Filter & { after?: string | undefined },
): Promise<AuditEntry[]> {
  return toEntries(db, reader, await rowsOf(db, reader, filter, PAGE_SIZE, after));
}

/** Limits of exports: each is long, and a reader needs only a few. */
export const EXPORT_CALLS = { rateLimit: { max: 20, timeWindow: "1 hour" }, costly: true, readsOnly: true } as const;

/** Exports the log as a table; the export is itself recorded in the log. */
export async function exportAudit(
  db: Database,
  reader: LogReader,
  filter: Filter,
): Promise<z.infer<typeof AuditExport>> {
  const rows = await rowsOf(db, reader, filter, AUDIT_EXPORT_ROWS + 1);
  const entries = await toEntries(db, reader, rows.slice(0, AUDIT_EXPORT_ROWS));
  const organizationId = reader.whole ? null : reader.organizationId;
  const detail = { rows: entries.length };
  await audit(db, { action: "audit-exported", userId: reader.userId, organizationId, detail });
  return { entries, complete: rows.length <= AUDIT_EXPORT_ROWS };
}

/** The audit log has no row-level security by tenant, so this function restricts it to the organisation. */
function rowsOf(db: Database, reader: LogReader, filter: Filter, limit: number, after?: string) {
  const { what, who, q = "", from, to } = filter;
  return db
    .select({ entry: auditLog, user: users, organization: organizations.name })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.userId))
    .leftJoin(organizations, eq(organizations.id, auditLog.orgId))
    .where(
      and(
        reader.whole ? undefined : eq(auditLog.orgId, reader.organizationId),
        after === undefined ? undefined : lt(auditLog.id, Number(after)),
        what === undefined ? undefined : inArray(auditLog.action, actionsOf(what)),
        who === undefined ? undefined : eq(auditLog.userId, who),
        from === undefined ? undefined : gte(auditLog.at, moscowDay(from, 0)),
        to === undefined ? undefined : lt(auditLog.at, moscowDay(to, 1)),
        q.trim() === "" ? undefined : containing(q),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

function actionsOf(what: string): string[] {
  if (!what.startsWith("group:")) return [what];
  const group = what.slice("group:".length);
  return Object.entries(AUDIT_ACTIONS).flatMap(([action, known]) => (known.group === group ? [action] : []));
}

/** Moscow has had one UTC offset, three hours, since 2014. */
function moscowDay(day: string, later: number): Date {
  const start = new Date(`${day}T00:00:00+03:00`).getTime();
  return new Date(Number.isNaN(start) ? 0 : start + later * 24 * 3600_000);
}

function containing(q: string): SQL | undefined {
  const words = q.trim().toLowerCase();
  const sentences = Object.entries(AUDIT_ACTIONS).flatMap(([action, { sentence }]) =>
    sentence.toLowerCase().includes(words) ? [action] : [],
  );
  const about = sql`concat_ws(' ', ${users.firstName}, ${users.lastName}, ${users.email}, ${users.telegramUsername},
    ${auditLog.subject}, ${auditLog.detail}->>'email', ${auditLog.detail}->>'name', ${auditLog.detail}->>'host',
    ${auditLog.detail}->>'ip')`;
  return or(
    sql`${about} ilike ${searchPattern(q)}`,
    sentences.length === 0 ? undefined : inArray(auditLog.action, sentences),
  );
}

type Found = Awaited<ReturnType<typeof rowsOf>>[number];

async function toEntries(db: Database, reader: LogReader, found: readonly Found[]): Promise<AuditEntry[]> {
  const names = await subjectNames(db, reader, found);
  return found.map(({ entry, user, organization }) => ({
    id: String(entry.id),
    at: entry.at.toISOString(),
    action: entry.action,
    sentence: AUDIT_ACTIONS[entry.action as AuditAction]?.sentence ?? entry.action,
    actor: entry.userId === null ? null : { id: entry.userId, name: user === null ? null : nameOf(user) },
    subject:
      entry.subject === null ? null : (names.get(entry.subject) ?? (UUID.test(entry.subject) ? null : entry.subject)),
    details: detailsOf(entry),
    organization: reader.whole ? organization : null,
  }));
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const nameOf = ({ firstName, lastName, email, telegramUsername }: typeof users.$inferSelect): string =>
  `${firstName} ${lastName}`.trim() || (email ?? (telegramUsername === null ? "Без имени" : `@${telegramUsername}`));

/** Returns names of members and of the organisation's own twins only; names of other things may be confidential. */
async function subjectNames(db: Database, reader: LogReader, found: readonly Found[]): Promise<Map<string, string>> {
  const ids = [...new Set(found.flatMap(({ entry }) => [entry.subject, twinIdOf(entry)]))].filter(
    (id): id is string => id !== null && UUID.test(id),
  );
  if (ids.length === 0) return new Map();
  const people = await db.select().from(users).where(inArray(users.id, ids));
  const own = reader.whole
    ? []
    : await asTenant(db, reader, (tx) =>
        tx.select({ id: twins.id, name: twins.name }).from(twins).where(inArray(twins.id, ids)),
      );
  const named = new Map([...people.map((user) => [user.id, nameOf(user)] as const)]);
  for (const { id, name } of own) named.set(id, `«${innerQuotes(name)}»`);
  for (const { entry } of found) {
    const twin = named.get(twinIdOf(entry) ?? "");
    if (entry.subject !== null && twin !== undefined && !named.has(entry.subject)) named.set(entry.subject, twin);
  }
  return named;
}

const twinIdOf = ({ detail }: Row): string | null => (typeof detail?.twinId === "string" ? detail.twinId : null);

function detailsOf({ detail }: Row): AuditEntry["details"] {
  return Object.entries(detail ?? {}).flatMap(([key, value]) => {
    const label = AUDIT_DETAILS[key];
    if (label === undefined || value === null || value === "") return [];
    const said = (Array.isArray(value) ? value : [value]).map((one) => AUDIT_VALUES[String(one)] ?? String(one));
    return [{ label, value: said.join(", ") }];
  });
}
