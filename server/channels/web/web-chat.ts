/** The chat on one's own site: what was written into the conversation is what its visitors read, so there is nothing to deliver. */
import type { Channel } from "../protocol/channel.ts";

export const webChat: Channel = {
  platform: "web",
  maxChars: 8000,
  verify: async () => ({ name: "Чат на сайте", id: "web" }),
  receive: async () => {},
  send: async ({ key }) => ({ ok: true, externalIds: [key] }),
};
