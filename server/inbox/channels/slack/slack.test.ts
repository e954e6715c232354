import { expect, test } from "vitest";
import { startProvider } from "#server/test/servers/provider-server.ts";
import { startSlackServer } from "#server/test/servers/slack-server.ts";
import { slack } from "./slack.ts";

const app = (apiUrl: string, sendMs = 200) =>
  slack({ botToken: "xoxb-1", signingSecret: null, appToken: null, teamId: "T1", apiUrl, sendMs });
const out = (text: string, delivered = 0) => ({
  key: "8b6f2a4e-0000-4000-8000-000000000000",
  conversation: "D1",
  context: {},
  lastInboundAt: new Date(),
  text,
  delivered,
});

test("an answer continues after its delivered parts; without a reply from Slack, or when aborted, its result is unknown", async () => {
  const server = await startSlackServer();
  const long = Array.from({ length: 900 }, (_, place) => `Слово${place}`).join(" ");
  expect(await app(server.root).send(out(long, 1))).toMatchObject({ ok: true, externalIds: [expect.any(String)] });
  expect(server.sent).toMatchObject([{ text: expect.stringMatching(/Слово899$/) }]);
  server.fates.await("D1", { kind: "hang" });
  expect(await app(server.root).send(out("Да"))).toMatchObject({ ok: false, kind: "unknown" });
  server.fates.await("D1", { kind: "hang" });
  const patient = app(server.root, 60_000);
  expect(await patient.send(out("Да"), AbortSignal.timeout(50))).toMatchObject({ ok: false, kind: "unknown" });
  await server.close();
});

test("a send to an unreachable Slack may be tried again", async () => {
  const { root, close } = await startProvider(() => {});
  await close();
  expect(await app(root).send(out("Да"))).toMatchObject({ ok: false, kind: "retry" });
  const trouble = await app(root)
    .verify()
    .catch((error: unknown) => error);
  expect(trouble).toMatchObject({ kind: "away", message: "Slack недоступен" });
});
