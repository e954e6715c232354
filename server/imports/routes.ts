import type { FastifyInstance } from "fastify";
import { accountDialogsApi } from "#contract/account-dialogs.ts";
import { importsApi } from "#contract/imports.ts";
import { on } from "#server/http.ts";
import type { StorageDeps } from "#server/organizations/storage.ts";
import { listAccountDialogs } from "./account-dialogs.ts";
import type { DialogDeps } from "./dialogs-elsewhere.ts";
import { importFile } from "./import-file.ts";
import { importUploads } from "./import-uploads.ts";
import { cancelImport, getImport, listImports, startImport } from "./imports.ts";
import type { ImportJobDeps } from "./jobs.ts";
import { appendUpload, beginUpload, dropUpload, readUpload } from "./resumable-uploads.ts";

/** A list of a large account is ten questions to Telegram, which counts them. */
const LISTS_PER_MINUTE = 20;

type RouteDeps = ImportJobDeps & DialogDeps & StorageDeps & { config: StorageDeps["config"] & { dataDir: string } };

export function mountImportRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { db } = deps;
  on(app, importsApi.upload, ({ viewer, request }) => importFile(deps, viewer, request), { rawBody: true });
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
