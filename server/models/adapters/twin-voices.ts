/** Looks up the voice for a twin's texts before each text, in the asking tenant's rows alone. */
import { and, eq, isNull } from "drizzle-orm";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { Database } from "#server/platform/db/database.ts";
import { voiceAdapters } from "#server/platform/db/schema/answers.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Log } from "#server/platform/log.ts";
import { fitOf } from "./base-fit.ts";
import { baseShapes } from "./base-shapes.ts";

/** A local chat model that voices can be trained for. */
export interface LocalBase {
  name: string;
  path: string;
}

export interface Voice {
  id: string;
  path: string;
  /** Whether the model failed to use the voice the last time. */
  failed: boolean;
}

export interface TwinVoices {
  /**
   * Returns the twin's voice for this model; null when there is none or it was trained for another model. Call it outside any transaction.
   * @param wanted id of a voice, or null for none; undefined: the voice that is switched on
   */
  of(payer: Payer, base: LocalBase, wanted?: string | null): Promise<Voice | null>;
  /** Records whether the model could use the voice, and notifies the owner of one that does not work. */
  note(payer: Payer, voice: Voice, worked: boolean): Promise<void>;
}

interface VoiceFiles {
  db: Database;
  files: Pick<FileStore, "localPath">;
  log: Log;
}

export function twinVoices({ db, files, log }: VoiceFiles): TwinVoices {
  return {
    async of(payer, base, wanted) {
      if (wanted === null || payer.twinId === null) return null;
      const [row] = await eachAsTenant(db, payer)
        .select({
          id: voiceAdapters.id,
          storedName: voiceAdapters.storedName,
          baseShape: voiceAdapters.baseShape,
          baseWeights: voiceAdapters.baseWeights,
          baseFile: voiceAdapters.baseFile,
          failedAt: voiceAdapters.failedAt,
        })
        .from(voiceAdapters)
        .where(
          and(
            eq(voiceAdapters.orgId, payer.organizationId),
            eq(voiceAdapters.twinId, payer.twinId),
            // A forgotten voice may have been trained on letters that were deleted since.
            isNull(voiceAdapters.forgottenAt),
            wanted === undefined ? eq(voiceAdapters.active, true) : eq(voiceAdapters.id, wanted),
          ),
        );
      if (row === undefined) return null;
      if (fitOf(row, await baseShapes(base.path)) === "other") return null;
      // An answer without the voice is better than none.
      const path = await files.localPath(row.storedName).catch((error: unknown) => {
        log.warn({ err: error, voiceId: row.id }, "a voice could not be fetched");
        return null;
      });
      return path === null ? null : { id: row.id, path, failed: row.failedAt !== null };
    },
    async note(payer, { id, failed }, worked) {
      if (failed !== worked || payer.twinId === null) return;
      await eachAsTenant(db, payer)
        .update(voiceAdapters)
        .set({ failedAt: worked ? null : new Date() })
        .where(and(eq(voiceAdapters.twinId, payer.twinId), eq(voiceAdapters.id, id)));
    },
  };
}
