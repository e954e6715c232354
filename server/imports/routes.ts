import type { FastifyInstance } from "fastify";
import { accountDialogsApi } from "#contract/knowledge/account-dialogs.ts";
import { importsApi } from "#contract/knowledge/imports.ts";
import type { StorageDeps } from "#server/accounts/organizations/storage.ts";
import { importFile } from "#server/imports/runs/import-file.ts";
import { importUploads } from "#server/imports/runs/import-uploads.ts";
import { cancelImport, getImport, listImports, startImport } from "#server/imports/runs/imports.ts";
import type { ImportJobDeps } from "#server/imports/runs/job-deps.ts";
import { route } from "#server/platform/http/route.ts";
import { listAccountDialogs } from "./account/account-dialogs.ts";
import type { DialogDeps } from "./account/dialog-requests.ts";
import { appendUpload, beginUpload, dropUpload, readUpload } from "./uploads/resumable-uploads.ts";

/** Limit of dialog lists: one for a large account takes ten calls to Telegram, which limits calls. */
const LISTS_PER_MINUTE = 20;

type RouteDeps = ImportJobDeps & DialogDeps & StorageDeps;

export function mountImportRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { db } = deps;
  route(app, importsApi.upload, ({ caller, request }) => importFile(deps, caller, request), {
    rawBody: true,
    costly: "alone",
  });
  route(app, importsApi.beginUpload, ({ caller, input }) => beginUpload(deps, caller, input), { costly: "alone" });
  route(app, importsApi.readUpload, ({ caller, params }) => readUpload(deps, caller, params.id));
  route(app, importsApi.dropUpload, ({ caller, params }) => dropUpload(deps, caller, params.id));
  route(app, importsApi.fromUploads, ({ caller, input }) => importUploads(deps, caller, input.uploadIds), {
    costly: "alone",
  });
  // Only these routes accept raw bytes; other routes respond with 415.
  app.register(async (scope) => {
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
    route(
      scope,
      importsApi.appendUpload,
      ({ caller, params, query, request }) => appendUpload(deps, caller, params.id, query.offset, request),
      { rawBody: true, costly: "alone" },
    );
  });
  route(app, accountDialogsApi.list, ({ caller, params }) => listAccountDialogs(deps, caller, params.id), {
    rateLimit: { max: LISTS_PER_MINUTE, timeWindow: "1 minute" },
  });
  route(app, importsApi.list, ({ caller }) => listImports(db, caller));
  route(app, importsApi.get, ({ caller, params }) => getImport(db, caller, params.id));
  route(app, importsApi.start, ({ caller, params, input }) => startImport(deps, caller, params.id, input), {
    costly: "alone",
  });
  route(app, importsApi.cancel, ({ caller, params }) => cancelImport(deps, caller, params.id));
}
