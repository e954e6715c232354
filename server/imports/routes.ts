import type { FastifyInstance } from "fastify";
import { accountDialogsApi } from "#contract/account-dialogs.ts";
import { importsApi, MAX_EXPORT_BYTES } from "#contract/imports.ts";
import { asTenant } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { listAccountDialogs } from "./account-dialogs.ts";
import type { DialogDeps } from "./dialogs-elsewhere.ts";
import { importUploads } from "./import-uploads.ts";
import { cancelImport, createImport, getImport, listImports, startImport } from "./imports.ts";
import type { ImportJobDeps } from "./jobs.ts";
import { receiveExport } from "./receive-export.ts";
import { appendUpload, beginUpload, dropUpload, readUpload } from "./resumable-uploads.ts";
import { removeUpload } from "./uploads.ts";

/** A list of a large account is ten questions to Telegram, which counts them. */
const LISTS_PER_MINUTE = 20;

export function mountImportRoutes(app: FastifyInstance, deps: ImportJobDeps & DialogDeps): void {
  const { db } = deps;
  const { dataDir } = deps.config;
  on(
    app,
    importsApi.upload,
    async ({ viewer, request }) => {
      const received = await receiveExport(request, {
        dataDir,
        maxBytes: MAX_EXPORT_BYTES,
        checkTwin: (id) => asTenant(db, viewer, (tx) => getChangeableTwin(tx, viewer, id)).then(() => {}),
      });
      try {
        return await createImport(deps, viewer, received);
      } catch (error) {
        await removeUpload(dataDir, received.storedName);
        throw error;
      }
    },
    { rawBody: true },
  );
  on(app, importsApi.beginUpload, ({ viewer, input }) => beginUpload(deps, viewer, input));
  on(app, importsApi.readUpload, ({ viewer, params }) => readUpload(deps, viewer, params.id));
  on(app, importsApi.dropUpload, ({ viewer, params }) => dropUpload(deps, viewer, params.id));
  on(app, importsApi.fromUploads, ({ viewer, input }) => importUploads(deps, viewer, input.uploadIds));
  // Raw bytes are taken here alone: everywhere else they are refused with 415.
  app.register(async (scope) => {
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
    on(
      scope,
      importsApi.appendUpload,
      ({ viewer, params, query, request }) => appendUpload(deps, viewer, params.id, query.offset, request),
      { rawBody: true },
    );
  });
  on(app, accountDialogsApi.list, ({ viewer, params }) => listAccountDialogs(deps, viewer, params.id), {
    rateLimit: { max: LISTS_PER_MINUTE, timeWindow: "1 minute" },
  });
  on(app, importsApi.list, ({ viewer }) => listImports(db, viewer));
  on(app, importsApi.get, ({ viewer, params }) => getImport(db, viewer, params.id));
  on(app, importsApi.start, ({ viewer, params, input }) => startImport(deps, viewer, params.id, input));
  on(app, importsApi.cancel, ({ viewer, params }) => cancelImport(deps, viewer, params.id));
}
