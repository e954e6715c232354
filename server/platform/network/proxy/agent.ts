/** An agent of `node:http` that uses connections made by a callback, one for each request. */
import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { ConnectionTarget } from "../connect.ts";

/** @param connect returns a connection ready for the request, TLS included; `failed` receives the error when it cannot */
export function agentOver(
  connect: (target: ConnectionTarget) => Promise<Duplex>,
  { tls, failed }: { tls: boolean; failed?: ((error: Error) => void) | undefined },
): HttpAgent {
  const options: AgentOptions = { keepAlive: false };
  const agent = tls ? new HttpsAgent(options) : new HttpAgent(options);
  agent.createConnection = ({ host, port }: ClientRequestArgs, made) => {
    const target = { host: (host ?? "").replace(/^\[|\]$/g, ""), port: Number(port ?? (tls ? 443 : 80)) };
    connect(target).then(
      (socket) => made?.(null, socket),
      (error: Error) => {
        failed?.(error);
        made?.(error, undefined as never);
      },
    );
    return undefined;
  };
  return agent;
}
