/** A channel whose connections go through a proxy: where the proxy was to blame, the owner reads that, and not that the platform is away. */

import type { Proxied } from "#server/platform/network/proxy/proxied.ts";
import { PROXY_PROBLEMS } from "#server/platform/network/proxy/proxy-failure.ts";
import { type Channel, ChannelTrouble, type SendResult } from "./channel.ts";

/** What is said in place of a platform being away. */
export function unavailableMessage(proxy: Proxied, message: string): string {
  const failure = proxy.failure();
  if (failure !== null) return PROXY_PROBLEMS[failure.problem].said;
  // A wrong secret shows only in that nothing comes back.
  return proxy.settings.address.kind === "mtproxy" ? `${message} через MTProxy: проверьте ссылку на него` : message;
}

export function throughProxy(channel: Channel, proxy: Proxied): Channel {
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // A proxy's owner mends it, or pays: until then the channel tries again, whatever the failure.
      if (!(error instanceof ChannelTrouble) || error.kind !== "away" || error.afterMs !== null) throw error;
      throw new ChannelTrouble("away", unavailableMessage(proxy, error.message));
    }
  };
  const { announce } = channel;
  return {
    ...channel,
    verify: (signal) => explained(() => channel.verify(signal)),
    receive: (receiving) => explained(() => channel.receive(receiving)),
    ...(announce && { announce: (webhook, signal) => explained(() => announce(webhook, signal)) }),
    async send(out, ending): Promise<SendResult> {
      const result = await channel.send(out, ending);
      if (result.ok || result.kind !== "retry" || proxy.failure() === null) return result;
      return { ...result, message: unavailableMessage(proxy, result.message), away: true };
    },
  };
}
