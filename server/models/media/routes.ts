import type { FastifyInstance } from "fastify";
import { mediaReadersApi as api } from "#contract/models/media-readers.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { route } from "#server/platform/http/route.ts";
import { checkReader, listReaders, type ReadersDeps, setReader } from "./settings.ts";

export function mountMediaReaderRoutes(app: FastifyInstance, deps: ReadersDeps): void {
  route(app, api.list, ({ caller, params }) => {
    ownOrganization(caller, params);
    return listReaders(deps, caller);
  });
  route(app, api.set, ({ caller, params, input }) => {
    ownOrganization(caller, params);
    return setReader(deps, caller, params.kind, input);
  });
  route(
    app,
    api.check,
    ({ caller, params, input }) => {
      ownOrganization(caller, params);
      return checkReader(deps, caller, params.kind, input);
    },
    { costly: true },
  );
}
