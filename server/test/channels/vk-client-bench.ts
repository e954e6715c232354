/** Calls to a local VK. */
import { afterAll, beforeAll, expect } from "vitest";
import { vk } from "#server/inbox/channels/vk/vk.ts";
import { startVkServer, type VkServer, vkKey } from "#server/test/servers/vk-server.ts";

export let server: VkServer;

export const community = (options: object = {}) => vk({ token: vkKey(7), apiUrl: server.root, groupId: 7, ...options });
export const out = (conversation: string, text: string, more: object = {}) => ({
  key: "8b6f2a4e-0000-4000-8000-000000000000",
  conversation,
  context: {},
  lastInboundAt: new Date(),
  text,
  delivered: 0,
  ...more,
});
export const sentTo = (peer: number) => server.sent.filter((message) => message.peer === peer);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareVkClient(): void {
  beforeAll(async () => {
    server = await startVkServer();
  });
  afterAll(async () => {
    expect(server.faults).toEqual([]);
    await server.close();
  });
}
