/** Connects an account's client: directly, through a SOCKS5 proxy, or through an MTProxy. */
import { connectTcp, TcpConnection } from "@fuman/node";
import {
  BaseMtProxyTransport,
  IntermediatePacketCodec,
  type ITelegramConnection,
  type TelegramTransport,
} from "@mtcute/core";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { ProxyFailure, proxyFailureOf } from "#server/platform/network/proxy-failure.ts";

const HANDSHAKE_MS = 15_000;

/** @param unreachable called for each failed attempt to connect */
export function transportTo(proxy: Proxied | null, unreachable: (cause: unknown) => void): TelegramTransport {
  const told = async <T>(opening: Promise<T>): Promise<T> => {
    try {
      return await opening;
    } catch (error) {
      unreachable(error);
      throw error;
    }
  };
  const address = proxy?.settings.address;
  if (proxy !== null && address?.kind === "mtproxy") {
    const transport = new MtProxyTransport(proxy, { host: address.host, port: address.port, secret: address.secret });
    const connect = transport.connect.bind(transport);
    transport.connect = () => told(connect());
    return transport;
  }
  return {
    async connect({ ipAddress, port }) {
      if (proxy !== null) return new TcpConnection(await told(proxy.connect({ host: ipAddress, port })));
      const connection = await told(connectTcp({ address: ipAddress, port }));
      connection.setNoDelay(true);
      connection.setKeepAlive(true);
      return connection;
    },
    packetCodec: () => new IntermediatePacketCodec(),
  };
}

/** mtcute's own protocol over a connection to the proxy, whose address was checked like any proxy's. */
class MtProxyTransport extends BaseMtProxyTransport {
  readonly #proxy: Proxied;

  constructor(proxy: Proxied, address: { host: string; port: number; secret: string }) {
    super(address);
    this.#proxy = proxy;
  }

  async _connectTcp(): Promise<TcpConnection> {
    return new TcpConnection(await this.#proxy.connectToProxy());
  }

  /** The disguise (fake TLS) is negotiated before any Telegram data, so a wrong secret shows here. */
  override async connect(): Promise<ITelegramConnection> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new ProxyFailure("silent")), HANDSHAKE_MS);
    try {
      return await Promise.race([super.connect(), late]);
    } catch (error) {
      const failure = proxyFailureOf(error) ?? new ProxyFailure("secret");
      this.#proxy.note(failure);
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }
}
