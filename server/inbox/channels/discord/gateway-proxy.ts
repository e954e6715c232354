/**
 * Routes the gateway client's connections through a proxy. The client opens its own sockets and has no proxy option, so it gets the
 * addresses of local Unix sockets. Each relays to the real address over a proxied and verified connection. Without a proxy, addresses stay
 * unchanged.
 */
import type { SessionInfo, WebSocketManager } from "@discordjs/ws";
import type { Proxied } from "#server/platform/network/proxied.ts";
import type { Relay } from "#server/platform/network/relay.ts";

export interface GatewayProxy {
  /** Returns the session with the relay's address, for the client to resume. */
  session(info: SessionInfo): SessionInfo | Promise<SessionInfo>;
  /** Returns the session with the real address, for storage. */
  realSession(info: SessionInfo): SessionInfo;
  close(): Promise<void>;
}

export function createGatewayProxy(gateway: WebSocketManager, proxy: Proxied | null): GatewayProxy {
  if (proxy === null) return { session: (info) => info, realSession: (info) => info, close: async () => {} };
  const relays = new Map<string, Promise<Relay>>();
  const real = new Map<string, string>();
  const relayAddressFor = async (address: string): Promise<string> => {
    const url = new URL(address);
    const tls = url.protocol === "wss:";
    const [host, port] = [url.hostname.replace(/^\[|\]$/g, ""), Number(url.port || (tls ? 443 : 80))];
    const relay = relays.get(url.origin) ?? proxy.relay({ host, port, tls });
    relays.set(url.origin, relay);
    const relayAddress = `ws+unix://${url.hostname}${(await relay).path}:${url.pathname}`;
    real.set(relayAddress, address);
    return relayAddress;
  };
  const fetchInformation = gateway.fetchGatewayInformation.bind(gateway);
  gateway.fetchGatewayInformation = async (force) => {
    const information = await fetchInformation(force);
    return { ...information, url: await relayAddressFor(information.url) };
  };
  return {
    session: async (info) => ({ ...info, resumeURL: await relayAddressFor(info.resumeURL) }),
    realSession: (info) => ({ ...info, resumeURL: real.get(info.resumeURL) ?? info.resumeURL }),
    async close() {
      for (const opening of relays.values()) await opening.then((relay) => relay.close()).catch(() => {});
    },
  };
}
