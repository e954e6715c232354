/** Database rows of a twin's voices. Their files are stored under random names. */
import { randomBytes } from "node:crypto";
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Voice, VoiceFigure, VoiceUpload } from "#contract/models/voice.ts";
import { fitOf } from "#server/models/adapters/base-fit.ts";
import type { BaseShapes } from "#server/models/adapters/base-shapes.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { fidelityMeasures, voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { notFound } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { measureKey } from "#server/platform/jobs/catalogue.ts";
import { failedJobAt, isJobPending } from "#server/platform/jobs/job-state.ts";

export type VoiceRow = typeof voiceAdapters.$inferSelect;

export const newVoiceName = (): string => `voice-${randomBytes(16).toString("hex")}`;
export const VOICE_NAME = /^voice-[0-9a-f]{32}$/;

const voiceNotFound = () => notFound("Почерк не найден. Обновите страницу", "voice_not_found");

/** Returns a completely uploaded voice. @throws Problem 404 */
export async function getVoice(tx: Tx, twinId: string, id: string): Promise<VoiceRow> {
  const [row] = await tx
    .select()
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.id, id), eq(voiceAdapters.twinId, twinId), isNotNull(voiceAdapters.version)));
  if (row === undefined) throw voiceNotFound();
  return row;
}

export const voicesOf = (tx: Tx, twinId: string): Promise<VoiceRow[]> =>
  tx
    .select()
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.twinId, twinId), isNotNull(voiceAdapters.version)))
    .orderBy(desc(voiceAdapters.version));

export async function uploadOf(tx: Tx, twinId: string): Promise<VoiceRow | undefined> {
  const [row] = await tx
    .select()
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.twinId, twinId), isNull(voiceAdapters.version)))
    .orderBy(desc(voiceAdapters.createdAt))
    .limit(1);
  return row;
}

/** Version numbers are never reused, even if only measures of a version remain. */
export async function nextVersion(tx: Tx, twinId: string): Promise<number> {
  const { rows } = await tx.execute(sql`
    select 1 + greatest(
      (select coalesce(max(version), 0) from voice_adapters where twin_id = ${twinId}),
      (select coalesce(max(voice_version), 0) from fidelity_measures where twin_id = ${twinId})) as next`);
  return Number(rows[0]!.next);
}

/** Call it outside any transaction. */
export async function toUpload(
  { id, fileName, bytes, storedName }: VoiceRow,
  files: Pick<FileStore, "size">,
): Promise<VoiceUpload> {
  return { id, fileName, bytes, offset: (await files.size(storedName)) ?? 0 };
}

/** @param base the answering model; null: no local model answers */
export async function toVoice(tx: Tx, row: VoiceRow, base: BaseShapes | null): Promise<Voice> {
  const fit = fitOf(row, base);
  const { id, version, fileName, bytes, rank, sha256, createdAt, baseName, active, failedAt, twinId } = row;
  const { forgottenAt } = row;
  return {
    ...{ id, version: version!, fileName, bytes, rank: rank ?? 0, sha256: sha256 ?? "", baseName: baseName ?? "" },
    createdAt: createdAt.toISOString(),
    fits: fit !== "other",
    otherFile: fit === "other-file",
    active,
    failedAt: failedAt?.toISOString() ?? null,
    forgottenAt: forgottenAt?.toISOString() ?? null,
    after: await measuredWith(tx, twinId, id),
  };
}

/** Returns the newest measure with this voice, whether a trial or not. */
const measuredWith = (tx: Tx, twinId: string, voiceId: string): Promise<Voice["after"]> =>
  measured(tx, { twinId, voiceId }, eq(fidelityMeasures.voiceId, voiceId));

export const measuredPlain = (tx: Tx, twinId: string, model: string): Promise<Voice["after"]> =>
  measured(
    tx,
    { twinId, voiceId: null },
    and(eq(fidelityMeasures.model, model), isNull(fidelityMeasures.voiceId), isNull(fidelityMeasures.voiceVersion)),
  );

async function measured(
  tx: Tx,
  asked: { twinId: string; voiceId: string | null },
  which: ReturnType<typeof and>,
): Promise<Voice["after"]> {
  const [newest] = await tx
    .select()
    .from(fidelityMeasures)
    .where(and(eq(fidelityMeasures.twinId, asked.twinId), which))
    .orderBy(desc(fidelityMeasures.id))
    .limit(1);
  const key = measureKey(asked);
  return {
    figure: newest === undefined ? null : toFigure(newest),
    measuring: await isJobPending(tx, "measure-fidelity", key),
    failedAt: (await failedJobAt(tx, "measure-fidelity", key))?.toISOString() ?? null,
  };
}

const toFigure = ({ measuredAt, value, low, high }: typeof fidelityMeasures.$inferSelect): VoiceFigure => ({
  measuredAt: measuredAt.toISOString(),
  ...{ value, low, high },
});
