import type { FastifyInstance } from "fastify";
import { voiceApi as api } from "#contract/models/voice.ts";
import type { StorageDeps } from "#server/accounts/organizations/storage.ts";
import { route } from "#server/platform/http/route.ts";
import { voiceData } from "./training-data/voice-data.ts";
import { appendVoice, beginVoice, dropUpload } from "./voice-files.ts";
import { removeVoice, requestVoiceMeasure, switchVoice, twinVoice, type VoiceDeps } from "./voices.ts";

/** Low, because each call reads all of an owner's messages. */
const DATA = { rateLimit: { max: 20, timeWindow: "1 hour" }, costly: true };

export function mountVoiceRoutes(app: FastifyInstance, deps: VoiceDeps & StorageDeps): void {
  route(app, api.get, ({ caller, params }) => twinVoice(deps, caller, params.id));
  route(app, api.data, ({ caller, params, reply }) => voiceData(deps, caller, params.id, reply) as never, DATA);
  route(app, api.beginFile, ({ caller, params, input }) => beginVoice(deps, caller, params.id, input));
  app.register(async (scope) => {
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
    route(
      scope,
      api.appendFile,
      ({ caller, params, query, request }) => appendVoice(deps, caller, params, query.offset, request),
      { rawBody: true },
    );
  });
  route(app, api.removeFile, ({ caller, params }) => dropUpload(deps, caller, params.id, params.fileId));
  route(app, api.change, ({ caller, params, input }) => switchVoice(deps, caller, params, input.active));
  route(app, api.remove, ({ caller, params }) => removeVoice(deps, caller, params));
  route(app, api.measure, ({ caller, params, input }) =>
    requestVoiceMeasure(deps, caller, params.id, input.voiceId === "none" ? null : input.voiceId),
  );
}
