/**
 * The one place where integrations get their connections through a proxy. A platform is given a `Proxied` when it is opened (null: no proxy,
 * and it connects as it always does), and hands its client whichever of these the client takes:
 *
 * - `fetch`, for clients of HTTP that take a fetch (grammY, Slack's and Discord's REST clients, one's own calls); `fetchTrusting(roots)` where
 *   the platform's certificate needs roots of its own;
 * - `dispatcher()`, for clients on undici, such as web sockets;
 * - `agent`, for clients on `node:http` (vk-io);
 * - `connect`, a TCP connection to a server, for clients that take a socket (SMTP, MTProto);
 * - `relay`, a path of this machine's file system that leads there, for clients that take none of these (IMAP, the `ws` package).
 *
 * Names are looked up by the proxy; certificates are always verified; no connection is kept, because it would outlive the proxy's settings;
 * no failure leads around the proxy. A platform need not explain failures: `server/inbox/channels/protocol/through-proxy.ts` says what the proxy's was.
 */
import type { Agent } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Dispatcher } from "undici";
import { agentOver } from "./agent.ts";
import { type Connecting, connectThrough, connectToProxy, type ProxySettings, type Target } from "./connect.ts";
import { type ProxyFailure, proxyFailureOf } from "./proxy-failure.ts";
import { openRelay, type Relay } from "./relay.ts";

export interface Proxied {
  readonly settings: ProxySettings;
  readonly fetch: typeof fetch;
  /** @param roots root certificates beside which no others count, each a PEM */
  fetchTrusting(roots: readonly string[]): typeof fetch;
  dispatcher(): Promise<Dispatcher>;
  /** @param tls whether its requests are https; `failed` receives the reason why a connection was not made, for clients that hide it */
  agent(tls: boolean, failed?: (error: Error) => void): Agent;
  /** @throws ProxyFailure; the signal's reason */
  connect(target: Target, connecting?: Connecting): Promise<Socket>;
  /** To the proxy itself, for protocols that it speaks with its client alone. @throws ProxyFailure; the signal's reason */
  connectToProxy(connecting?: Connecting): Promise<Socket>;
  /** @param target with `tls` the relay verifies the server, and its client speaks with it as without TLS */
  relay(target: Target & { tls: boolean }): Promise<Relay>;
  /** What was wrong with the latest connection; null once one was made. */
  failure(): ProxyFailure | null;
  /** A failure of the proxy's that shows only after the connection was made. */
  note(failure: ProxyFailure): void;
}

const TLS_MS = 10_000;

export function createProxied(settings: ProxySettings): Proxied {
  let failure: ProxyFailure | null = null;
  const noting = async (opening: Promise<Socket>) => {
    try {
      const socket = await opening;
      failure = null;
      return socket;
    } catch (error) {
      failure = proxyFailureOf(error);
      throw error;
    }
  };
  const connect = (target: Target, connecting?: Connecting) => noting(connectThrough(settings, target, connecting));
  const dispatcherWith = async (roots: readonly string[] | null) =>
    (await import("./http-dispatcher.ts")).dispatcherOver(connect, roots);
  const fetchWith = (roots: readonly string[] | null): typeof fetch => {
    let made: Promise<Dispatcher> | undefined;
    return async (...asked) => {
      const { fetchBy } = await import("./http-dispatcher.ts");
      made ??= dispatcherWith(roots);
      return fetchBy(await made, ...asked);
    };
  };
  return {
    settings,
    fetch: fetchWith(null),
    fetchTrusting: fetchWith,
    dispatcher: () => dispatcherWith(null),
    agent: (tls, failed) =>
      agentOver(
        async (target) => {
          const socket = await connect(target);
          return tls ? secureSocket(socket, target.host) : socket;
        },
        { tls, failed },
      ),
    connect,
    connectToProxy: (connecting) => noting(connectToProxy(settings, connecting)),
    relay: ({ tls, ...target }) =>
      openRelay(async () => {
        const socket = await connect(target);
        return tls ? secureSocket(socket, target.host) : socket;
      }),
    failure: () => failure,
    note: (noted) => {
      failure = noted;
    },
  };
}

/** Verified as belonging to the host before anything is said. @param roots the roots that count, each a PEM; null: the usual ones */
export function secureSocket(socket: Socket, host: string, roots: readonly string[] | null = null): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const trusted = roots === null ? {} : { ca: [...roots] };
    const tls = connectTls({ socket, host, ...name, ...trusted, rejectUnauthorized: true });
    const timer = setTimeout(
      () => tls.destroy(Object.assign(new Error("TLS took too long"), { code: "ETIMEDOUT" })),
      TLS_MS,
    );
    const failed = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    tls.once("secureConnect", () => {
      clearTimeout(timer);
      resolve(tls);
    });
    tls.on("error", failed);
    tls.once("close", () => failed(Object.assign(new Error("The connection was closed"), { code: "ECONNRESET" })));
  });
}
