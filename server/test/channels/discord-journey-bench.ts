/** A bot in Discord that is connected to a local server. */
import { afterAll, beforeAll } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { type DiscordServer, startDiscordServer } from "#server/test/servers/discord-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let server: DiscordServer;
export let t: TestApp;
export let supervisor: Supervisor;

export const sentTo = (channel: string) => server.sent.filter((message) => message.channel === channel);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareDiscordJourney(): void {
  beforeAll(async () => {
    server = await startDiscordServer();
    t = await testApp({ discordApiUrl: server.root });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await server.close();
  });
}
