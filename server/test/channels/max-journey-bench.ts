/** A bot in MAX that is connected to a local server. */
import { afterAll, beforeAll, expect } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { connectTwin, eventsOf, WAIT } from "#server/test/channels/channel-journey.ts";
import { type MaxServer, maxChat, maxToken, startMaxServer } from "#server/test/servers/max-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let server: MaxServer;
export let t: TestApp;
export let supervisor: Supervisor;

export let bots = 10;
let people = 5000;
export async function connect(autonomy: "draft" | "auto" = "draft") {
  const token = maxToken(++bots);
  const connected = await connectTwin(t, { platform: "max", apiKey: token }, autonomy);
  const ivan = ++people;
  return { ...connected, token, ivan, chat: String(maxChat(ivan)) };
}
type Bot = Awaited<ReturnType<typeof connect>>;
export const sentTo = (chat: string) => server.sent.filter((message) => message.chat === chat).map(({ text }) => text);
export const handled = (bot: Bot, count: number) =>
  expect
    .poll(async () => (await eventsOf(t, bot)).filter(({ status }) => status !== "pending").length, WAIT)
    .toBe(count);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareMaxJourney(): void {
  beforeAll(async () => {
    server = await startMaxServer();
    t = await testApp({ maxApiUrl: server.root });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await server.close();
    expect(server.faults).toEqual([]);
  });
}

export function setSupervisor(value: Supervisor): void {
  supervisor = value;
}

export const newPerson = () => ++people;
