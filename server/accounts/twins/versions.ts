/** Stores a version of a twin after each training and each saved change, in the transaction of the change, which locks the twin's row. */
import { isDeepStrictEqual } from "node:util";
import { and, asc, desc, eq, inArray, ne } from "drizzle-orm";
import { StyleProfile } from "#contract/quality.ts";
import type { VersionCause } from "#contract/versions.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { type twins, twinVersions } from "#server/platform/db/schema/twins.ts";

/** Changes of one kind by one person within this time are merged into one version. */
const JOINED_MS = 5 * 60_000;
const KEPT = 200;

/** Style figures: shares (0..1) and numbers of characters. They contain no words, so that deleted words do not survive here. */
export interface StyleFigures {
  messages: number;
  characters: number;
  lowerCaseStart: number;
  finalFullStop: number;
  brackets: number;
  emoji: number;
  exclamation: number;
  greetings: number;
  familiar: number | null;
}

export interface TwinSnapshot {
  name: string;
  description: string;
  personality: string;
  communicationStyle: string;
  expertise: string[];
  /** Absent: `business`, as in versions that are older than the choice. */
  purpose?: "friends";
  /** `StatedSelf`; absent: the owner has stated nothing of himself. */
  selfPresentation?: unknown;
  /** Ids of the corrections that exist in this version; their texts stay in the corrections' rows. */
  corrections: { id: string; active: boolean }[];
  style: StyleFigures | null;
}

type TwinRow = typeof twins.$inferSelect;
export type VersionRow = Omit<typeof twinVersions.$inferSelect, "snapshot"> & { snapshot: TwinSnapshot };

async function snapshotOf(tx: Tx, twin: TwinRow): Promise<TwinSnapshot> {
  const { name, description, personality, communicationStyle, expertise, purpose } = twin;
  const rows = await tx
    .select({ id: corrections.id, state: corrections.state })
    .from(corrections)
    .where(and(eq(corrections.twinId, twin.id), ne(corrections.state, "removed")))
    .orderBy(asc(corrections.place));
  return {
    name,
    description,
    personality,
    communicationStyle,
    expertise,
    ...(purpose === "friends" ? { purpose } : {}),
    ...(twin.selfPresentation === null ? {} : { selfPresentation: twin.selfPresentation }),
    corrections: rows.map(({ id, state }) => ({ id, active: state === "active" })),
    style: figuresOf(twin.styleProfile),
  };
}

function figuresOf(stored: unknown): StyleFigures | null {
  const parsed = StyleProfile.safeParse(stored);
  if (!parsed.success || parsed.data.messages === 0) return null;
  const { messages, length, lowerCaseStart, finalFullStop, brackets, emoji, exclamation, greetings, address } =
    parsed.data;
  return {
    messages,
    characters: length.median,
    lowerCaseStart: lowerCaseStart.share,
    finalFullStop: finalFullStop.share,
    brackets: brackets.share,
    emoji: emoji.share,
    exclamation: exclamation.share,
    greetings: greetings.share,
    familiar: address.familiar,
  };
}

/** Returns the newest first. */
export async function versionsOf(tx: Tx, twinId: string, limit: number): Promise<VersionRow[]> {
  const rows = await tx
    .select()
    .from(twinVersions)
    .where(eq(twinVersions.twinId, twinId))
    .orderBy(desc(twinVersions.place))
    .limit(limit);
  return rows as VersionRow[];
}

/** Call it before a change: stores the present state as a version unless the newest version equals it. */
export async function keepFirstVersion(tx: Tx, twin: TwinRow): Promise<void> {
  const [newest] = await versionsOf(tx, twin.id, 1);
  const snapshot = await snapshotOf(tx, twin);
  if (newest === undefined || !isDeepStrictEqual(newest.snapshot, snapshot))
    await insert(tx, twin, "before", null, snapshot);
}

/** Call it after a change: stores a version unless nothing has changed, merged with the same person's changes of the last minutes. */
export async function keepVersion(
  tx: Tx,
  twin: TwinRow,
  cause: VersionCause,
  authorId: string | null,
): Promise<VersionRow> {
  const snapshot = await snapshotOf(tx, twin);
  const [newest] = await versionsOf(tx, twin.id, 1);
  if (newest !== undefined && cause !== "restored") {
    if (cause !== "training" && isDeepStrictEqual(newest.snapshot, snapshot)) return newest;
    const joins =
      newest.cause === cause && newest.authorId === authorId && Date.now() - newest.createdAt.getTime() < JOINED_MS;
    if (joins) {
      const [joined] = await tx
        .update(twinVersions)
        .set({ snapshot, updatedAt: new Date() })
        .where(eq(twinVersions.id, newest.id))
        .returning();
      return joined as VersionRow;
    }
  }
  return insert(tx, twin, cause, authorId, snapshot);
}

async function insert(
  tx: Tx,
  twin: TwinRow,
  cause: VersionCause,
  authorId: string | null,
  snapshot: TwinSnapshot,
): Promise<VersionRow> {
  const [row] = await tx
    .insert(twinVersions)
    .values({ orgId: twin.orgId, twinId: twin.id, cause, authorId, snapshot })
    .returning();
  const old = tx
    .select({ id: twinVersions.id })
    .from(twinVersions)
    .where(eq(twinVersions.twinId, twin.id))
    .orderBy(desc(twinVersions.place))
    .offset(KEPT);
  await tx.delete(twinVersions).where(inArray(twinVersions.id, old));
  return row as VersionRow;
}
