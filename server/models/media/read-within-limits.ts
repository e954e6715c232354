/** Reads an original under its organisation's settings: the reader, the maximum length of a recording and the daily limit. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { chosenReader } from "./chosen-reader.ts";
import { LEAN_BYTES_A_SECOND, READ_MS } from "./limits.ts";
import { correctDailyUnits, longestOf, type ReaderRow, readerOf, reserveDailyUnits } from "./reader-rows.ts";
import { type MediaOutcome, notRecognized } from "./recognizer.ts";
import type { ReadersDeps } from "./settings.ts";

export interface ReadingDeps extends Pick<ReadersDeps, "vault" | "remote" | "localMedia"> {
  db: Database;
  files: Pick<FileStore, "open">;
}

/** A complete file in the store. */
interface Original {
  kind: MediaKind;
  storedName: string;
  bytes: number;
  mime: string;
  /** null: unknown. */
  seconds: number | null;
}

const TOO_LONG = "Запись длиннее, чем читается по настройкам.";
const DAY_IS_SPENT: Record<MediaKind, string> = {
  speech: "Минуты распознавания на сегодня закончились.",
  picture: "Картинки, которые распознаются за день, на сегодня закончились.",
};

/**
 * A file that is not read does not count towards the daily limit.
 * @param shareOfDay as in `reserveDailyUnits`
 * @throws the signal's reason
 */
export async function readWithinLimits(
  deps: ReadingDeps,
  tenant: Tenant,
  original: Original,
  { signal, maxChars, shareOfDay }: { signal: AbortSignal; maxChars: number; shareOfDay?: number },
): Promise<MediaOutcome> {
  const { db } = deps;
  const { organizationId } = tenant;
  const { kind, seconds } = original;
  const day = usageDay(new Date());
  const estimate = kind === "picture" ? 1 : Math.max(1, Math.ceil(seconds ?? original.bytes / LEAN_BYTES_A_SECOND));
  const reader = await asTenant(db, tenant, (tx) => readerOf(tx, organizationId, kind));
  const bounds = boundsOf(reader, signal, maxChars);
  if (reader === null || reader.mode === "off") return chosenReader(deps, tenant, reader)(inputOf(original), bounds);
  if (kind === "speech" && seconds !== null && seconds > bounds.maxSeconds) return notRecognized("too_long", TOO_LONG);
  const taken = await asTenant(db, tenant, (tx) =>
    reserveDailyUnits(tx, organizationId, kind, { units: estimate, day, share: shareOfDay }),
  );
  if (!taken) return notRecognized("spent", DAY_IS_SPENT[kind]);
  const outcome = await chosenReader(deps, tenant, reader)(inputOf(original), bounds);
  const measured = !outcome.ok ? 0 : kind === "picture" ? 1 : Math.ceil(outcome.seconds ?? seconds ?? estimate);
  if (measured !== estimate)
    await asTenant(db, tenant, (tx) => correctDailyUnits(tx, organizationId, kind, measured - estimate, day));
  return outcome;
}

const inputOf = ({ storedName, bytes, mime, seconds }: Original) => ({
  source: { kind: "file" as const, name: storedName, bytes },
  mime,
  durationSeconds: seconds,
});

const boundsOf = (reader: ReaderRow | null, signal: AbortSignal, maxChars: number) => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]),
  maxSeconds: longestOf(reader ?? { longestSeconds: null }),
  maxChars,
});
