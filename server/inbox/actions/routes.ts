import type { FastifyInstance } from "fastify";
import { actCountApi } from "#contract/actions/act-count.ts";
import { toolActsApi } from "#contract/actions/acts.ts";
import { calendarsApi } from "#contract/actions/calendars.ts";
import { toolConnectionsApi } from "#contract/actions/tool-connections.ts";
import { toolDraftApi } from "#contract/actions/tool-draft.ts";
import { toolImportApi } from "#contract/actions/tool-import.ts";
import { toolsApi } from "#contract/actions/tools.ts";
import { route } from "#server/platform/http/route.ts";
import { actFigures, countActs, listActs } from "./acts.ts";
import { openCalendarAccount } from "./calendars.ts";
import { completeConnection, openMcp, readConnection, renewConnection } from "./connect-mcp.ts";
import { listConnections, removeConnection, setProxy } from "./connections.ts";
import { type ActDeps, answerAct, approveAct, rejectAct, settleAct } from "./decide-act.ts";
import { createChosenTools, readToolDescription } from "./openapi/descriptions.ts";
import { readTable } from "./tables.ts";
import { messagesBefore } from "./talk/messages-before.ts";
import type { ConnectionDeps, ShownToolDeps } from "./tool-deps.ts";
import { createTool, listTools, removeTool, updateTool } from "./tools.ts";
import { tryDraftTool, tryTool } from "./try-tool.ts";

/** Inputs with the secrets of headers are not stored for an `Idempotency-Key`. */
const SECRET = { secretAnswer: true };

export function mountActionRoutes(app: FastifyInstance, deps: ActDeps & ConnectionDeps & ShownToolDeps): void {
  const { db } = deps;
  route(app, toolsApi.list, ({ caller, query }) => listTools(deps, caller, query));
  route(app, toolsApi.readTable, ({ caller, input }) => readTable(deps, caller, input), { costly: true });
  route(app, toolsApi.create, ({ caller, input }) => createTool(deps, caller, input), SECRET);
  route(app, toolImportApi.read, ({ caller, input }) => readToolDescription(deps, caller, input), { costly: true });
  route(app, toolImportApi.create, ({ caller, input }) => createChosenTools(deps, caller, input), SECRET);
  route(app, calendarsApi.open, ({ caller, input }) => openCalendarAccount(deps, caller, input), {
    ...{ costly: true, ...SECRET },
  });
  route(app, toolsApi.update, ({ caller, params, input }) => updateTool(deps, caller, params.id, input));
  route(app, toolsApi.remove, ({ caller, params }) => removeTool(db, caller, params.id));
  route(app, toolsApi.try, ({ caller, params, input }) => tryTool(deps, caller, params.id, input), { costly: true });
  route(app, toolDraftApi.try, ({ caller, input }) => tryDraftTool(deps, caller, input), { costly: true, ...SECRET });
  const connections = toolConnectionsApi;
  route(app, connections.list, ({ caller, query }) => listConnections(deps, caller, query));
  route(app, connections.openMcp, ({ caller, input }) => openMcp(deps, caller, input), { costly: true, ...SECRET });
  route(app, connections.renew, ({ caller, params, input }) => renewConnection(deps, caller, params.id, input), {
    costly: true,
    ...SECRET,
  });
  route(app, connections.complete, ({ caller, input }) => completeConnection(deps, caller, input), {
    costly: true,
    ...SECRET,
  });
  route(app, connections.read, ({ caller, params }) => readConnection(deps, caller, params.id), { costly: true });
  route(app, connections.setProxy, ({ caller, params, input }) => setProxy(deps, caller, params.id, input), SECRET);
  route(app, connections.remove, ({ caller, params }) => removeConnection(db, caller, params.id));
  route(app, toolActsApi.list, ({ caller, query }) => listActs(db, caller, query));
  route(app, actCountApi.count, ({ caller }) => countActs(db, caller));
  route(app, toolActsApi.figures, ({ caller, query }) => actFigures(db, caller, query));
  route(app, toolActsApi.before, ({ caller, params }) => messagesBefore(db, caller, params.id));
  route(app, toolActsApi.approve, ({ caller, params }) => approveAct(deps, caller, params.id));
  route(app, toolActsApi.answer, ({ caller, params, input }) => answerAct(deps, caller, params.id, input));
  route(app, toolActsApi.reject, ({ caller, params }) => rejectAct(deps, caller, params.id));
  route(app, toolActsApi.settle, ({ caller, params, input }) => settleAct(deps, caller, params.id, input));
}
