/**
 * The only source of integrations' connections through a proxy. A platform gets a `Proxied` when it is opened (null: no proxy, and it
 * connects directly), and passes to its client the form that the client accepts:
 *
 * - `fetch`, for HTTP clients that accept one (grammY, Slack's and Discord's REST clients, our own calls); `fetchTrusting(roots)` when
 *   the platform's certificate needs special roots;
 * - `dispatcher()`, for clients on undici, such as web sockets;
 * - `agent`, for clients on `node:http` (vk-io);
 * - `connect`, a TCP connection to a server, for clients that accept a socket (SMTP, MTProto);
 * - `relay`, the path of a local Unix socket that leads there, for clients that accept none of these (IMAP, the `ws` package).
 *
 * The proxy resolves names. Certificates are always verified. No connection is kept alive, because it would outlive the proxy's settings.
 * No failure bypasses the proxy. Platforms need not explain failures: `server/inbox/channel-protocol/through-proxy.ts` describes the
 * proxy's.
 */
import type { Agent } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Dispatcher } from "undici";
import {
  type ConnectionTarget,
  type ConnectOptions,
  connectThrough,
  connectToProxy,
  type ProxySettings,
} from "./connect.ts";
import { agentOver } from "./proxy/agent.ts";
import { type ProxyFailure, proxyFailureOf } from "./proxy-failure.ts";
import { openRelay, type Relay } from "./relay.ts";

export interface Proxied {
  readonly settings: ProxySettings;
  readonly fetch: typeof fetch;
  /** @param roots the only accepted root certificates, each a PEM */
  fetchTrusting(roots: readonly string[]): typeof fetch;
  dispatcher(): Promise<Dispatcher>;
  /** @param tls whether its requests are https @param failed receives the reason of a failed connection, for clients that hide it */
  agent(tls: boolean, failed?: (error: Error) => void): Agent;
  /** @throws ProxyFailure; the signal's reason */
  connect(target: ConnectionTarget, connecting?: ConnectOptions): Promise<Socket>;
  /**
   * Returns a connection to the proxy itself, for protocols that only the proxy and its client speak. @throws ProxyFailure; the signal's
   * reason
   */
  connectToProxy(connecting?: ConnectOptions): Promise<Socket>;
  /** @param target with `tls` the relay speaks TLS and verifies the server; its client connects without TLS */
  relay(target: ConnectionTarget & { tls: boolean }): Promise<Relay>;
  /** Returns the failure of the latest connection; null after a successful one. */
  failure(): ProxyFailure | null;
  /** Records a failure of the proxy that appears only after the connection was made. */
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
  const connect = (target: ConnectionTarget, connecting?: ConnectOptions) =>
    noting(connectThrough(settings, target, connecting));
  const dispatcherWith = async (roots: readonly string[] | null) =>
    (await import("./proxy/http-dispatcher.ts")).dispatcherOver(connect, roots);
  const fetchWith = (roots: readonly string[] | null): typeof fetch => {
    let made: Promise<Dispatcher> | undefined;
    return async (...asked) => {
      const { fetchBy } = await import("./proxy/http-dispatcher.ts");
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

/** Verifies that the server is the host before any data is sent. @param roots the only accepted roots, each a PEM; null: the usual ones */
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
