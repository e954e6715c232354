/** Calls to a local MAX. */

import { max } from "#server/inbox/channels/max/max.ts";
import { maxChat, maxToken } from "#server/test/servers/max-server.ts";

export const CHAT = String(maxChat(5));
export const bot = (apiUrl: string, more: object = {}) =>
  max({ token: maxToken(1), apiUrl, roots: [], botId: "1", partMs: 500, looksMs: [10, 50, 100], ...more });
export const out = (text: string, delivered = 0) => ({
  key: "8b6f2a4e-0000-4000-8000-000000000000",
  conversation: CHAT,
  context: {},
  lastInboundAt: new Date(),
  text,
  delivered,
});

/** MAX takes two messages a second in a dialog. */
export const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));
