/** Opens a connection to a server through a proxy, hop by hop: the proxy's name, its port, its handshake. It never bypasses the proxy. */
import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ProxyAddress } from "#contract/integrations/proxy-address.ts";
import { httpConnect } from "./proxy/http-connect.ts";
import { socks5Connect } from "./proxy/socks5.ts";
import { ProxyFailure } from "./proxy-failure.ts";
import { PrivateAddress, publicAddressOf } from "./public-address.ts";

export interface ConnectionTarget {
  /** A name, which the proxy resolves, or an IP address. */
  host: string;
  port: number;
}

export interface ProxySettings {
  address: ProxyAddress;
  /** The operator has set the proxy, so it may be in a private network. */
  mayBePrivate: boolean;
}

type ProxyHop = "name" | "tcp" | "proxy";

export interface ConnectOptions {
  signal?: AbortSignal | undefined;
  /** Called after each successful hop with its duration in milliseconds. */
  passed?: ((hop: ProxyHop, ms: number) => void) | undefined;
}

/** Time limits of the DNS lookup, the connection to the proxy, and its handshake, which includes the connection to the target. */
const MS: Record<ProxyHop, number> = { name: 5_000, tcp: 8_000, proxy: 15_000 };

/** Returns a connection to the target whose stream is unread. @throws ProxyFailure; the signal's reason */
export async function connectThrough(
  proxy: ProxySettings,
  target: ConnectionTarget,
  connecting: ConnectOptions = {},
): Promise<Socket> {
  const socket = await connectToProxy(proxy, connecting);
  try {
    const { address } = proxy;
    if (address.kind === "mtproxy") throw new Error("An MTProxy has no targets: it is Telegram's own");
    const { kind, user, password } = address;
    const login = user === null ? null : { user, password: password ?? "" };
    const shake = kind === "socks5" ? socks5Connect : httpConnect;
    await inTime(
      "proxy",
      connecting,
      () => socket.destroy(),
      () => shake(socket, target, login),
    );
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Returns a connection to the proxy itself, before any handshake. @throws ProxyFailure; the signal's reason */
export async function connectToProxy(
  { address: { kind, host, port }, mayBePrivate }: ProxySettings,
  connecting: ConnectOptions = {},
): Promise<Socket> {
  const address = await inTime("name", connecting, null, () => addressOf(host, mayBePrivate));
  let opening: Socket | undefined;
  return await inTime(
    "tcp",
    connecting,
    () => opening?.destroy(),
    async () => {
      opening = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
      await event(opening, "connect");
      if (kind === "https") {
        const servername = isIP(host) === 0 ? host : "";
        const tls = connectTls({
          socket: opening,
          servername,
          host,
          rejectUnauthorized: true,
          ALPNProtocols: ["http/1.1"],
        });
        opening = tls;
        await event(tls, "secureConnect").catch((error: unknown) => {
          throw error instanceof ProxyFailure && error.problem === "unreachable" ? new ProxyFailure("tls") : error;
        });
      }
      return opening;
    },
  );
}

/** Resolves the proxy's name. @throws ProxyFailure */
async function addressOf(host: string, mayBePrivate: boolean): Promise<string> {
  try {
    if (!mayBePrivate) return await publicAddressOf(host);
    if (isIP(host) !== 0) return host;
    return (await lookup(host, { order: "ipv4first" })).address;
  } catch (error) {
    throw new ProxyFailure(error instanceof PrivateAddress ? "private" : "name");
  }
}

/**
 * Waits for the event; an earlier error counts as the proxy's failure. The socket keeps an error listener, so that a later error does not
 * end the process.
 */
function event(socket: Socket, name: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(name, resolve);
    socket.on("error", (error: NodeJS.ErrnoException) =>
      reject(new ProxyFailure(error.code === "ECONNREFUSED" ? "refused" : "unreachable")),
    );
    socket.once("close", () => reject(new ProxyFailure("unreachable")));
  });
}

async function inTime<T>(
  hop: ProxyHop,
  { signal, passed }: ConnectOptions,
  stop: (() => void) | null,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const began = performance.now();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const late = setTimeout(
    () => reject(new ProxyFailure(hop === "name" ? "name" : hop === "tcp" ? "unreachable" : "silent")),
    MS[hop],
  );
  const aborted = () => reject(signal?.reason);
  signal?.addEventListener("abort", aborted, { once: true });
  const working = work();
  working.catch(() => {});
  try {
    const made = await Promise.race([working, over]);
    passed?.(hop, Math.round(performance.now() - began));
    return made;
  } catch (error) {
    stop?.();
    throw error;
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", aborted);
  }
}
