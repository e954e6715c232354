/** The server's health, backups, the activity feed, and data exports. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { HealthFactId } from "#contract/health.ts";
import { orgId, userId } from "./accounts.ts";
import { at, createdAt, uuidId } from "./columns.ts";
import { conversations } from "./conversations.ts";
import { twins } from "./twins.ts";

/** Problems of the server that are reported to the operator (server/operations/health/alerts). */
export const alerts = pgTable(
  "alerts",
  {
    /** Host name of the machine; empty for problems that all servers on this database share. */
    server: text("server").notNull(),
    problem: text("problem").$type<HealthFactId>().notNull(),
    since: at("since").notNull(),
    seen: at("seen").notNull(),
    /** Since when the problem has been a failure; null: only a warning so far. */
    failureSince: at("failure_since"),
    failureSeen: at("failure_seen"),
    toldAt: at("told_at"),
    toldAs: text("told_as", { enum: ["attention", "failure"] }),
    /** Number of sent alerts. */
    times: integer("times").notNull().default(0),
    /** Until this time one process is sending the alert. */
    claimedUntil: at("claimed_until"),
  },
  (t) => [
    primaryKey({ columns: [t.server, t.problem] }),
    check("alerts_told_as", sql`told_as in ('attention', 'failure')`),
  ],
);

/** Processes of this installation; each updates its own row (server/operations/health/processes.ts). */
export const serverProcesses = pgTable("server_processes", {
  /** New at each start of the process. */
  id: uuid("id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  role: text("role", { enum: ["all", "web", "worker"] }).notNull(),
  version: text("version").notNull(),
  startedAt: at("started_at").notNull(),
  reportedAt: at("reported_at").notNull(),
  /** Interval of backups in hours; null: the process makes none. */
  backupHours: doublePrecision("backup_hours"),
  /** These four columns cover the past hour. */
  failedRequests: integer("failed_requests").notNull(),
  failedJobs: integer("failed_jobs").notNull(),
  modelReplies: integer("model_replies").notNull(),
  modelFailures: integer("model_failures").notNull(),
  /** Delay of the event loop. */
  delayMs: integer("delay_ms").notNull(),
  worstDelayMs: integer("worst_delay_ms").notNull(),
  memoryBytes: bigint("memory_bytes", { mode: "number" }).notNull(),
  heapBytes: bigint("heap_bytes", { mode: "number" }).notNull(),
  heapLimitBytes: bigint("heap_limit_bytes", { mode: "number" }).notNull(),
});

/** The last successful and the last failed backup of the installation, from any machine. */
export const lastBackups = pgTable(
  "last_backups",
  {
    outcome: text("outcome", { enum: ["made", "failed"] }).primaryKey(),
    at: at("at").notNull(),
    host: text("host").notNull(),
    bytes: bigint("bytes", { mode: "number" }),
    /** Whether the backup was read back completely. */
    verified: boolean("verified"),
    /** Why the backup failed, in Russian. */
    reason: text("reason"),
  },
  () => [
    check("last_backups_outcome", sql`outcome in ('made', 'failed')`),
    check("last_backups_told", sql`(outcome = 'made') = (bytes is not null and verified is not null)`),
    check("last_backups_reason", sql`(outcome = 'failed') = (reason is not null)`),
  ],
);

/**
 * The dashboard's activity feed, one row per reply. It is partitioned by month, which drizzle cannot express:
 * platform/db-upkeep/month-partitions.ts creates and drops the partitions (docs/decisions/011-data-retention.md).
 */
export const activity = pgTable(
  "activity",
  {
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    orgId: orgId(),
    twinId: uuid("twin_id").references(() => twins.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    twinName: text("twin_name").notNull(),
    description: text("description").notNull(),
    /** The conversation, whose readers alone may see the quoted question; null for an entry without content of a conversation. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  // The indexes by twin and conversation serve the cascades of deletions: there are as many entries as replies.
  (t) => [
    primaryKey({ name: "activity_pkey", columns: [t.id, t.createdAt] }),
    index("activity_org").on(t.orgId, t.id),
    index("activity_twin").on(t.twinId),
    index("activity_conversation").on(t.conversationId),
  ],
);

/**
 * Zip files with all data of a user or an organisation, made on request (operations/records/export). A trigger marks one as failed when
 * data that it may contain is deleted, so that deleted data does not survive in a waiting file.
 */
export const dataExports = pgTable(
  "data_exports",
  {
    id: uuidId(),
    orgId: orgId(),
    /** The user who requested it and who alone may download it. */
    userId: userId(),
    scope: text("scope", { enum: ["account", "organization"] }).notNull(),
    state: text("state", { enum: ["waiting", "running", "ready", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why the export failed: `ExportFailure` of contract/organizations/records.ts. */
    reason: text("reason", { enum: ["storage_full", "no_space", "broken", "outdated", "not_allowed"] }),
    /** Number of exported rows. */
    done: bigint("done", { mode: "number" }).notNull().default(0),
    /** Number of rows that was counted at the start. */
    total: bigint("total", { mode: "number" }).notNull().default(0),
    /** Random name inside the data folder's `uploads`; null once the file is deleted. */
    storedName: text("stored_name").unique(),
    /** Disk space in use or reserved. */
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    cutOff: integer("cut_off").notNull().default(0),
    createdAt: createdAt(),
    readyAt: at("ready_at"),
    keptUntil: at("kept_until"),
  },
  (t) => [
    uniqueIndex("data_exports_one").on(t.orgId, t.userId, t.scope),
    index("data_exports_user").on(t.userId),
    index("data_exports_end").on(t.keptUntil),
    check("data_exports_scope", sql`scope in ('account', 'organization')`),
    check("data_exports_state", sql`state in ('waiting', 'running', 'ready', 'failed')`),
    check("data_exports_reason", sql`reason in ('storage_full', 'no_space', 'broken', 'outdated', 'not_allowed')`),
  ],
);
