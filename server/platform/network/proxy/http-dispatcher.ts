/** An undici dispatcher that uses connections made elsewhere. This module is loaded only when a proxy is used. */
import type { Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch } from "undici";
import type { ConnectionTarget } from "../connect.ts";

const TLS_MS = 10_000;

/** @param roots the only accepted root certificates, each a PEM; null: the usual ones */
export function dispatcherOver(
  connect: (target: ConnectionTarget) => Promise<Socket>,
  roots: readonly string[] | null,
): Dispatcher {
  const secure = buildConnector({
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
    timeout: TLS_MS,
    ...(roots ? { ca: [...roots] } : {}),
  });
  return new Agent({
    allowH2: false,
    // Each request gets a connection of its own.
    pipelining: 0,
    connect(options, done) {
      const { hostname, port, protocol } = options;
      const tls = protocol === "https:" || protocol === "wss:";
      const target = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (tls ? 443 : 80)) };
      connect(target).then(
        (httpSocket) => (tls ? secure({ ...options, httpSocket }, done) : done(null, httpSocket)),
        (error: Error) => done(error, null),
      );
    },
  });
}

/** Sends a request through the dispatcher, and follows redirects through it as well. */
export function fetchBy(dispatcher: Dispatcher, ...[input, init = {}]: Parameters<typeof fetch>): Promise<Response> {
  const go = undiciFetch as unknown as (url: unknown, init: object) => Promise<Response>;
  const url = input instanceof Request ? input.url : input;
  return go(url, { ...init, ...(init.signal ? { signal: realSignal(init.signal) } : {}), dispatcher });
}

/** Converts the signal class that some clients bring, which `fetch` does not accept. */
function realSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const foreign = signal as AbortSignal;
  const controller = new AbortController();
  if (foreign.aborted) controller.abort();
  else foreign.addEventListener("abort", () => controller.abort(), { once: true });
  return controller.signal;
}
