/**
 * Answers in the app's place while the server waits for the database's upgrade or for room on its disk. A supervisor sees on /readyz why
 * requests must wait, and does not restart the process.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Config } from "#server/platform/config.ts";
import { type Problem, unavailable } from "#server/platform/errors.ts";
import { toProblemBody } from "./answer-errors.ts";
import { refusesForeignHost } from "./own-hosts.ts";

type Waiting = "upgrading" | "writing";

const REFUSALS: Record<Waiting, () => Problem> = {
  upgrading: () => unavailable("upgrading", "Сервер запускается: база данных обновляется.", { retryAfter: 5 }),
  writing: () => unavailable("cannot_write", "Сервер ждёт, когда на диске появится место.", { retryAfter: 30 }),
};

interface UpgradingServer {
  /** Does nothing when the port is in use: the app's own listening will report that. */
  listen(why?: Waiting): void;
  close(): Promise<void>;
}

export function createUpgradingServer(
  config: Pick<Config, "host" | "port" | "publicUrl" | "allowedHosts">,
): UpgradingServer {
  const { host, port } = config;
  let waiting: Waiting = "upgrading";
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.setHeader("connection", "close");
    if (refusesForeignHost(config, request, response)) return;
    if (request.url === "/healthz") return void response.end(JSON.stringify({ status: "ok" }));
    const problem = REFUSALS[waiting]();
    const body = { ...toProblemBody(problem, randomUUID()), checks: [waiting] };
    response.writeHead(problem.status, problem.headers).end(JSON.stringify(body));
  });
  server.on("error", () => {});
  return {
    listen(why = "upgrading") {
      waiting = why;
      if (!server.listening) server.listen({ host, port });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
