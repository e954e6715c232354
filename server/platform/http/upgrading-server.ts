/**
 * Answers in the app's place while the server waits for the database's upgrade. A supervisor sees on /readyz why requests must wait, and
 * does not restart the process.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Config } from "#server/platform/config.ts";
import { unavailable } from "#server/platform/errors.ts";
import { toProblemBody } from "./answer-errors.ts";
import { refusesForeignHost } from "./own-hosts.ts";

interface UpgradingServer {
  /** Does nothing when the port is in use: the app's own listening will report that. */
  listen(): void;
  close(): Promise<void>;
}

export function createUpgradingServer(
  config: Pick<Config, "host" | "port" | "publicUrl" | "allowedHosts">,
): UpgradingServer {
  const { host, port } = config;
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.setHeader("connection", "close");
    if (refusesForeignHost(config, request, response)) return;
    if (request.url === "/healthz") return void response.end(JSON.stringify({ status: "ok" }));
    const problem = unavailable("upgrading", "Сервер запускается: база данных обновляется.", { retryAfter: 5 });
    const body = { ...toProblemBody(problem, randomUUID()), checks: ["upgrading"] };
    response.writeHead(problem.status, problem.headers).end(JSON.stringify(body));
  });
  server.on("error", () => {});
  return {
    listen() {
      if (!server.listening) server.listen({ host, port });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
