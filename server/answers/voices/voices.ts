/** The owner's view of his twin's voices, and his actions on them. Colleagues of any role find none. */
import { and, eq } from "drizzle-orm";
import { MIN_EXCHANGES, type TwinVoice } from "#contract/models/voice.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { withModels } from "#server/answers/replies/models.ts";
import type { ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { fitOf } from "#server/models/adapters/base-fit.ts";
import { type BaseShapes, baseShapes } from "#server/models/adapters/base-shapes.ts";
import type { LocalBase } from "#server/models/adapters/twin-voices.ts";
import { asTenant, type Tenant } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { conflict } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { countExchanges } from "./training-data/exchanges.ts";
import { getVoice, measuredPlain, toUpload, toVoice, uploadOf, type VoiceRow, voicesOf } from "./voice-rows.ts";

export interface VoiceDeps extends ReplyDeps {
  files: FileStore;
  log: Log;
  jobs: Pick<Jobs, "enqueue">;
}

/** Returns the organisation's local model; null: none, or a remote one. Call it outside any transaction. */
export async function localBaseOf(
  deps: ReplyDeps,
  tenant: Tenant,
): Promise<{ model: TwinVoice["model"]; base: LocalBase | null }> {
  const { generator } = await withModels(deps, tenant);
  if (generator.local !== undefined) return { model: "local", base: generator.local };
  return { model: generator.name === "llm" ? "remote" : "none", base: null };
}

/** @throws Problem 404 */
export async function twinVoice(deps: VoiceDeps, caller: Caller, twinId: string): Promise<TwinVoice> {
  const { db, files } = deps;
  const { model, base } = await localBaseOf(deps, caller);
  const known = base === null ? null : await baseShapes(base.path);
  const { upload, ...rest } = await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const voices = [];
    for (const row of await voicesOf(tx, twinId)) voices.push(await toVoice(tx, row, known));
    return {
      exchanges: await countExchanges(tx, twinId),
      voices,
      upload: await uploadOf(tx, twinId),
      before:
        base === null ? { figure: null, measuring: false, failedAt: null } : await measuredPlain(tx, twinId, base.name),
    };
  });
  return {
    ...rest,
    ...{ least: MIN_EXCHANGES, model, baseName: base?.name ?? null },
    upload: upload === undefined ? null : await toUpload(upload, files),
  };
}

/**
 * Takes effect with the next answer; at most one voice is on. @throws Problem 404; 409 for a voice made for another model, or trained on
 * deleted messages
 */
export async function switchVoice(
  deps: VoiceDeps,
  caller: Caller,
  { id: twinId, voiceId }: { id: string; voiceId: string },
  active: boolean,
): Promise<TwinVoice> {
  const { base } = await localBaseOf(deps, caller);
  const known = base === null ? null : await baseShapes(base.path);
  await asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const row = await getVoice(tx, twinId, voiceId);
    if (active) demandUsable(row, base, known);
    const ofTwin = eq(voiceAdapters.twinId, twinId);
    if (active)
      await tx
        .update(voiceAdapters)
        .set({ active: false })
        .where(and(ofTwin, eq(voiceAdapters.active, true)));
    await tx
      .update(voiceAdapters)
      .set({ active, failedAt: null, updatedAt: new Date() })
      .where(eq(voiceAdapters.id, row.id));
    const { userId, organizationId } = caller;
    const detail = { twin: twinId, version: row.version, active };
    await auditInTenant(tx, { action: "voice-switched", userId, organizationId, subject: row.id, detail });
  });
  return twinVoice(deps, caller, twinId);
}

/** @throws Problem 409 */
function demandUsable(row: VoiceRow, base: LocalBase | null, known: BaseShapes | null): void {
  if (row.forgottenAt !== null)
    throw conflict(
      "voice_of_deleted_letters",
      "Этот почерк учился и на переписке, которую вы удалили. Скачайте данные заново и обучите новый",
    );
  if (base === null || fitOf(row, known) === "other") throw anotherModel(base);
}

const anotherModel = (base: LocalBase | null) =>
  base === null
    ? conflict("no_local_model", "Почерк работает только с моделью на этом сервере. Выберите её на странице «Модель»")
    : conflict("voice_of_another_model", `Этот почерк обучен для другой модели, а сейчас отвечает «${base.name}»`);

/** Removes the voice with its file; a running answer can still use it. @throws Problem 404 */
export async function removeVoice(
  deps: VoiceDeps,
  caller: Caller,
  { id: twinId, voiceId }: { id: string; voiceId: string },
): Promise<void> {
  const storedName = await asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const row = await getVoice(tx, twinId, voiceId);
    await tx.delete(voiceAdapters).where(eq(voiceAdapters.id, row.id));
    const { userId, organizationId } = caller;
    const detail = { twin: twinId, version: row.version };
    await auditInTenant(tx, { action: "voice-removed", userId, organizationId, subject: row.id, detail });
    return row.storedName;
  });
  await removeFiles(deps, [storedName]);
}

/** @param voiceId null: measure without a voice @throws Problem 404; 409 without messages to compare with, or without such a model */
export async function requestVoiceMeasure(
  deps: VoiceDeps,
  caller: Caller,
  twinId: string,
  voiceId: string | null,
): Promise<{ queued: true }> {
  const { base } = await localBaseOf(deps, caller);
  const known = base === null ? null : await baseShapes(base.path);
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const row = voiceId === null ? null : await getVoice(tx, twinId, voiceId);
    if (base === null) throw anotherModel(base);
    if (row !== null) demandUsable(row, base, known);
    if (twin.styleProfile === null) {
      throw conflict("nothing_to_measure", "Сначала загрузите переписку: двойнику пока не на кого быть похожим");
    }
    const { organizationId, userId } = caller;
    await deps.jobs.enqueue(tx, "measure-fidelity", { organizationId, userId, twinId, voiceId });
    return { queued: true as const };
  });
}
