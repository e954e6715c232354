/** Wraps a channel whose connections go through a proxy. A failure of the proxy is reported as such, not as an unavailable platform. */

import type { Proxied } from "#server/platform/network/proxied.ts";
import { PROXY_PROBLEMS } from "#server/platform/network/proxy-failure.ts";
import { type Channel, ChannelTrouble, type SendResult } from "./channel.ts";

/** Returns the message that replaces «the platform is unavailable». */
export function unavailableMessage(proxy: Proxied, message: string): string {
  const failure = proxy.failure();
  if (failure !== null) return PROXY_PROBLEMS[failure.problem].said;
  // MTProxy does not report a wrong secret: it only sends no response.
  return proxy.settings.address.kind === "mtproxy" ? `${message} через MTProxy: проверьте ссылку на него` : message;
}

export function throughProxy(channel: Channel, proxy: Proxied): Channel {
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // The proxy's owner can repair it, so the channel retries until then, whatever the failure.
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
