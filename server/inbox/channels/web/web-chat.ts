/** The chat on the owner's own site. Visitors read the stored conversation, so there is nothing to deliver. */
import type { Channel } from "#server/inbox/channel-protocol/channel.ts";

export const webChat: Channel = {
  platform: "web",
  maxChars: 8000,
  verify: async () => ({ name: "Чат на сайте", id: "web" }),
  receive: async () => {},
  send: async ({ key }) => ({ ok: true, externalIds: [key] }),
};
