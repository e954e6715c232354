/** Uploads a voice's file in pieces; an upload can be resumed and is checked when complete. An invalid file is deleted. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { and, count, eq, isNotNull, isNull, lt } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import { MAX_VOICES, type VoiceFileInput, type VoiceUpload } from "#contract/models/voice.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { ADAPTER_ERRORS, adapterSentence } from "#server/models/adapters/adapter-problems.ts";
import { baseShapes } from "#server/models/adapters/base-shapes.ts";
import { checkAdapter } from "#server/models/adapters/check-adapter.ts";
import type { LocalBase } from "#server/models/adapters/twin-voices.ts";
import { writeAdapter } from "#server/models/adapters/write-adapter.ts";
import { asPlatform, asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { conflict, Problem, unprocessable } from "#server/platform/errors.ts";
import { bytesOf, uploadNotFound } from "#server/platform/files/resumable-file.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { newVoiceName, nextVersion, toUpload, type VoiceRow } from "./voice-rows.ts";
import type { VoiceDeps } from "./voices.ts";
import { localBaseOf } from "./voices.ts";

type FileDeps = VoiceDeps & StorageDeps;

const KEPT_MS = 24 * 3600_000;

/**
 * Begins an upload or resumes that of the same file; another file replaces an unfinished upload.
 * @throws Problem 404; 409 without a local model, or with enough versions; 413, 507 without room
 */
export async function beginVoice(
  deps: FileDeps,
  caller: Caller,
  twinId: string,
  input: z.output<typeof VoiceFileInput>,
): Promise<VoiceUpload> {
  const { db, files } = deps;
  const { bytes, modified = null } = input;
  const fileName = nameOf(input.fileName);
  const before = await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    return unfinishedOf(tx, twinId);
  });
  const lost = new Set<string>();
  for (const one of before) if ((await files.size(one.storedName)) === null) lost.add(one.storedName);
  await requireBase(deps, caller);
  const storedName = newVoiceName();
  await files.create(storedName);
  try {
    const { row, left } = await asTenant(db, caller, async (tx) => {
      await getOwnTwin(tx, caller, twinId, { lock: true });
      const begun = await unfinishedOf(tx, twinId);
      const same = begun.find((one) => one.fileName === fileName && one.bytes === bytes && one.modified === modified);
      if (same !== undefined && !lost.has(same.storedName)) return { row: same, left: [storedName] };
      await tx.delete(voiceAdapters).where(and(eq(voiceAdapters.twinId, twinId), isNull(voiceAdapters.version)));
      await requirePlace(tx, twinId);
      await claimStorage(tx, deps, caller, bytes);
      const { organizationId: orgId, userId } = caller;
      const values = { orgId, twinId, userId, fileName, storedName, bytes, modified };
      const [made] = await tx.insert(voiceAdapters).values(values).returning();
      return { row: made!, left: begun.map((one) => one.storedName) };
    });
    await removeFiles(deps, left);
    return await toUpload(row, files);
  } catch (error) {
    await files.remove(storedName);
    throw error;
  }
}

const nameOf = (fileName: string): string =>
  fileName
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replaceAll(/[\p{C}]/gu, "")
    .trim()
    .slice(0, 120) || "Почерк";

const unfinishedOf = (tx: Tx, twinId: string): Promise<VoiceRow[]> =>
  tx
    .select()
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.twinId, twinId), isNull(voiceAdapters.version)));

async function requirePlace(tx: Tx, twinId: string): Promise<void> {
  const [kept] = await tx
    .select({ value: count() })
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.twinId, twinId), isNotNull(voiceAdapters.version)));
  if (kept!.value < MAX_VOICES) return;
  throw conflict("voices_full", `Хранится не больше ${MAX_VOICES} версий почерка. Удалите ту, что больше не нужна`);
}

/** @throws Problem 409 */
async function requireBase(deps: VoiceDeps, caller: Caller): Promise<LocalBase> {
  const { base } = await localBaseOf(deps, caller);
  if (base !== null) return base;
  throw conflict(
    "no_local_model",
    "Почерк работает только с моделью на этом сервере. Сначала выберите её на странице «Модель»",
  );
}

/**
 * Appends the request's bytes at `offset`; the last ones complete the voice.
 * @throws Problem 404; 409 when `offset` is not the end of the file, or the model is gone; 400 for a broken connection (received bytes
 * are kept); 415; 422 for a file that is no voice for the answering model, which is then removed; 507
 */
export async function appendVoice(
  deps: FileDeps,
  caller: Caller,
  { id: twinId, fileId }: { id: string; fileId: string },
  offset: number,
  request: FastifyRequest,
): Promise<{ upload: VoiceUpload | null; voiceId: string | null }> {
  const { db, files } = deps;
  const source = bytesOf(request.body);
  try {
    const row = await asTenant(db, caller, (tx) => getUpload(tx, caller, twinId, fileId));
    await files.append(row.storedName, { bytes: row.bytes, offset, source });
    if ((await files.size(row.storedName)) === row.bytes)
      return { upload: null, voiceId: await settle(deps, caller, row) };
    const set = { updatedAt: new Date() };
    await asTenant(db, caller, (tx) => tx.update(voiceAdapters).set(set).where(eq(voiceAdapters.id, row.id)));
    return { upload: await toUpload(row, files), voiceId: null };
  } catch (error) {
    // The remaining body is read and discarded, so that the client receives the response.
    source.resume();
    throw error;
  }
}

async function getUpload(tx: Tx, caller: Caller, twinId: string, id: string): Promise<VoiceRow> {
  await getOwnTwin(tx, caller, twinId);
  const [row] = await tx
    .select()
    .from(voiceAdapters)
    .where(and(eq(voiceAdapters.id, id), eq(voiceAdapters.twinId, twinId), isNull(voiceAdapters.version)));
  if (row === undefined) throw uploadNotFound();
  return row;
}

/** Writes the checked contents to a new file (write-adapter.ts) and removes the upload. */
async function settle(deps: FileDeps, caller: Caller, row: VoiceRow): Promise<string> {
  const { db, files } = deps;
  const base = await requireBase(deps, caller);
  const shapes = await baseShapes(base.path);
  const from = await files.localPath(row.storedName);
  const checked = shapes === null ? "another-size" : await checkAdapter(from, shapes);
  if (typeof checked === "string") {
    await dropRow(deps, caller, row);
    throw unprocessable(ADAPTER_ERRORS[checked], adapterSentence(checked, base.name));
  }
  const storedName = newVoiceName();
  try {
    await files.leaveFree(row.bytes);
    const sha256 = await checksumOf(from);
    const bytes = await writeAdapter(from, checked, (pieces) => files.write(storedName, pieces));
    const { name: baseName } = base;
    const { fingerprint: baseShape, weights: baseWeights, file: baseFile } = shapes!;
    const facts = { storedName, bytes, sha256, baseName, baseShape, baseWeights, baseFile, rank: checked.rank };
    const kept = await asTenant(db, caller, async (tx) => {
      await getOwnTwin(tx, caller, row.twinId, { lock: true });
      await requirePlace(tx, row.twinId);
      const set = { ...facts, version: await nextVersion(tx, row.twinId), updatedAt: new Date() };
      const [voice] = await tx
        .update(voiceAdapters)
        .set(set)
        .where(and(eq(voiceAdapters.id, row.id), isNull(voiceAdapters.version)))
        .returning({ id: voiceAdapters.id });
      if (voice === undefined) throw uploadNotFound();
      const { userId, organizationId } = caller;
      const detail = { twin: row.twinId, version: set.version, sha256 };
      await auditInTenant(tx, { action: "voice-added", userId, organizationId, subject: row.id, detail });
      return voice.id;
    });
    await removeFiles(deps, [row.storedName]);
    return kept;
  } catch (error) {
    await files.remove(storedName);
    // A full disk may have room later, so the received bytes stay.
    if (!(error instanceof Problem && error.status === 507)) await dropRow(deps, caller, row);
    throw error;
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** @throws Problem 404 */
export async function dropUpload(deps: VoiceDeps, caller: Caller, twinId: string, fileId: string): Promise<void> {
  const row = await asTenant(deps.db, caller, (tx) => getUpload(tx, caller, twinId, fileId));
  await dropRow(deps, caller, row);
}

async function dropRow(deps: VoiceDeps, caller: Caller, { id, storedName }: VoiceRow): Promise<void> {
  await asTenant(deps.db, caller, (tx) =>
    tx.delete(voiceAdapters).where(and(eq(voiceAdapters.id, id), isNull(voiceAdapters.version))),
  );
  deps.files.stopAppending(storedName);
  await removeFiles(deps, [storedName]);
}

/** Removes uploads not resumed for a day, or for `keptMs`. @returns their number */
export async function dropAbandonedVoices(
  deps: { db: Database } & Parameters<typeof removeFiles>[0],
  now = Date.now(),
  keptMs = KEPT_MS,
): Promise<number> {
  const { db } = deps;
  const old = await asPlatform(db, (tx) =>
    tx
      .select({
        id: voiceAdapters.id,
        organizationId: voiceAdapters.orgId,
        userId: voiceAdapters.userId,
        storedName: voiceAdapters.storedName,
      })
      .from(voiceAdapters)
      .where(and(isNull(voiceAdapters.version), lt(voiceAdapters.updatedAt, new Date(now - keptMs)))),
  );
  for (const { id, storedName, ...tenant } of old) {
    const unfinished = and(eq(voiceAdapters.id, id), isNull(voiceAdapters.version));
    await asTenant(db, tenant, (tx) => tx.delete(voiceAdapters).where(unfinished));
    await removeFiles(deps, [storedName]);
  }
  return old.length;
}
