/** A community that is connected to a local VK. */
import { afterAll, beforeAll, expect } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { connectTwin, eventsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { startVkServer, type VkServer, vkKey } from "#server/test/servers/vk-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let server: VkServer;
export let t: TestApp;
export let supervisor: Supervisor;
export const start = () => startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });

let communities = 100;
export async function connect(autonomy: "draft" | "auto" = "draft") {
  const group = ++communities;
  const lavka = await connectTwin(t, { platform: "vk", apiKey: vkKey(group) }, autonomy);
  await expect.poll(() => server.opened.get(group) ?? 0, WAIT).toBeGreaterThan(0);
  await expect.poll(async () => (await shown(lavka)).connection, WAIT).toBe("connected");
  return { ...lavka, group };
}
type Lavka = Awaited<ReturnType<typeof connect>>;

export const sentTo = (peer: number) => server.sent.filter((message) => message.peer === peer).map(({ text }) => text);
export const idsOf = async (lavka: Lavka) => (await eventsOf(t, lavka)).map(({ eventId }) => eventId);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareVkJourney(): void {
  beforeAll(async () => {
    server = await startVkServer();
    t = await testApp({ vkApiUrl: server.root });
    supervisor = start();
  });
  afterAll(async () => {
    await supervisor.stop();
    expect(server.faults).toEqual([]);
    await t.close();
    await server.close();
  });
}

export function setSupervisor(value: Supervisor): void {
  supervisor = value;
}
