/**
 * The gateway's client opens its sockets itself and takes no proxy. So it is told addresses of doors in this machine's file system, behind each of
 * which a proxied, verified connection to the real address begins. Without a proxy everything passes as it is.
 */
import type { SessionInfo, WebSocketManager } from "@discordjs/ws";
import type { Proxied } from "#server/network/proxy/proxied.ts";
import type { Relay } from "#server/network/proxy/relay.ts";

export interface GatewayDoors {
  /** As the client resumes it. */
  session(info: SessionInfo): SessionInfo | Promise<SessionInfo>;
  /** As it is kept. */
  realSession(info: SessionInfo): SessionInfo;
  close(): Promise<void>;
}

export function gatewayDoors(gateway: WebSocketManager, proxy: Proxied | null): GatewayDoors {
  if (proxy === null) return { session: (info) => info, realSession: (info) => info, close: async () => {} };
  const relays = new Map<string, Promise<Relay>>();
  const real = new Map<string, string>();
  const doorTo = async (address: string): Promise<string> => {
    const url = new URL(address);
    const tls = url.protocol === "wss:";
    const [host, port] = [url.hostname.replace(/^\[|\]$/g, ""), Number(url.port || (tls ? 443 : 80))];
    const relay = relays.get(url.origin) ?? proxy.relay({ host, port, tls });
    relays.set(url.origin, relay);
    const door = `ws+unix://${url.hostname}${(await relay).path}:${url.pathname}`;
    real.set(door, address);
    return door;
  };
  const fetchInformation = gateway.fetchGatewayInformation.bind(gateway);
  gateway.fetchGatewayInformation = async (force) => {
    const information = await fetchInformation(force);
    return { ...information, url: await doorTo(information.url) };
  };
  return {
    session: async (info) => ({ ...info, resumeURL: await doorTo(info.resumeURL) }),
    realSession: (info) => ({ ...info, resumeURL: real.get(info.resumeURL) ?? info.resumeURL }),
    async close() {
      for (const opening of relays.values()) await opening.then((relay) => relay.close()).catch(() => {});
    },
  };
}
