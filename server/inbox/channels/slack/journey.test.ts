/** End-to-end tests of a Slack app against a local Slack, with signed events and with a socket. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  type Connected,
  connectTwin,
  drafted,
  eventsOf,
  refusedConnection,
  rowsOf,
  shown,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { type SlackServer, slackMessage, slackSignature, startSlackServer } from "#server/test/servers/slack-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const SECRET = "signing-secret-of-an-app";
let workspace: SlackServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  workspace = await startSlackServer();
  t = await testApp({ slackApiUrl: workspace.root, publicUrl: "https://twins.example" });
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  await t.close();
  await workspace.close();
});

let bots = 0;
async function connect(settings: object, autonomy: "draft" | "auto" = "draft") {
  const token = `xoxb-${++bots}`;
  const slack = await connectTwin(t, { platform: "slack", apiKey: token, settings }, autonomy);
  return { ...slack, token };
}

function deliver({ integration }: Connected, body: object, headers?: Record<string, string>) {
  const payload = JSON.stringify(body);
  return t.anonymous.inject({
    method: "POST",
    url: new URL(integration.webhook!.url).pathname,
    payload,
    headers: { "content-type": "application/json", ...(headers ?? slackSignature(payload, SECRET)) },
  });
}

const sentTo = (channel: string) => workspace.sent.filter((message) => message.channel === channel);

test("a direct message is drafted once, whatever else Slack delivers, and is answered in its thread", async () => {
  holdBursts();
  const slack = await connect({ signing_secret: SECRET });
  expect(slack.integration).toMatchObject({ account: "@twin (Команда)", webhook: { verifyToken: null } });
  const asked = { type: "url_verification", challenge: "3eZbrw1a" };
  expect((await deliver(slack, asked)).json()).toEqual({ challenge: "3eZbrw1a" });
  const question = slackMessage("D1", "Сколько стоит &lt;доставка&gt; для <@U7|Ани>?", {
    thread_ts: "1795000000.000001",
  });
  const raw = JSON.stringify(question);
  for (const headers of [
    {},
    slackSignature(raw, "wrong"),
    slackSignature(raw, SECRET, 301),
    slackSignature("{}", SECRET),
  ]) {
    expect((await deliver(slack, question, headers)).statusCode).toBe(401);
  }
  expect((await deliver(slack, asked, {})).statusCode).toBe(401);
  for (const other of [
    slackMessage("D1", "я бот", { bot_id: "B1" }),
    slackMessage("D1", "", { subtype: "message_changed" }),
    slackMessage("C1", "<@UBOT> ты тут?", { channel_type: "channel" }),
    { ...slackMessage("C1", "<@UBOT> ты тут?"), event: { type: "app_mention", channel: "C1", user: "U1", text: "?" } },
    { ...slackMessage("D1", "другому"), team_id: "T2" },
    [],
  ]) {
    expect((await deliver(slack, other)).statusCode).toBe(200);
  }
  expect(await eventsOf(t, slack)).toEqual([]);
  const after = slackMessage("D1", "И возврат?", { thread_ts: "1795000000.000001" });
  for (const event of [after, question, question, after]) {
    expect((await deliver(slack, event)).statusCode).toBe(200);
  }
  expect(await eventsOf(t, slack)).toHaveLength(2);
  const [draft] = await drafted(slack.ann);
  expect(draft).toMatchObject({
    contactName: "Иван Петров",
    question: "Сколько стоит <доставка> для Ани?\nИ возврат?",
  });
  await slack.ann.put(`/api/approvals/${draft!.id}`, { text: "**Да** & <!channel>" });
  await slack.ann.post(`/api/approvals/${draft!.id}/approve`);
  await expect
    .poll(() => sentTo("D1"), WAIT)
    .toMatchObject([
      { text: expect.stringMatching(/\n\n\*Да\* &amp; &lt;!channel&gt;$/), threadTs: "1795000000.000001" },
    ]);
  await expect.poll(async () => (await rowsOf(t, slack))[0]!.state, WAIT).toBe("sent");
  expect(await approvals(slack.ann)).toEqual([]);
});

test("a socket delivers messages to a server without a public address, continues after a renewal, and sends at most once", async () => {
  const slack = await connect({ app_token: "xapp-1" }, "auto");
  expect(slack.integration.webhook).toBeNull();
  const fates = {
    DOK: [],
    DWAIT: [{ kind: "refused", status: 429, body: {}, headers: { "retry-after": "1" } } as const],
    DFAULT: [{ kind: "refused", status: 500, body: {} } as const],
    DRESET: [{ kind: "reset-after-accept" } as const],
    DGONE: [{ kind: "refused", status: 200, body: { ok: false, error: "user_disabled" } } as const],
  };
  for (const [channel, fate] of Object.entries(fates)) {
    workspace.fates.await(channel, ...fate);
    const event = slackMessage(channel, "Привет!");
    for (const attempt of [1, 2]) workspace.push(`${channel} ${attempt}`, event);
  }
  await expect.poll(() => workspace.acknowledged.size, WAIT).toBe(10);
  expect(await eventsOf(t, slack)).toHaveLength(5);
  const ended = async () =>
    (await rowsOf(t, slack)).filter(({ state }) => state !== "pending" && state !== "sending").length;
  await expect.poll(ended, WAIT).toBe(5);
  const states = (await rowsOf(t, slack)).map(({ state, reason }) => `${state}: ${reason}`).sort();
  expect(states).toEqual([
    "failed: Собеседнику в Slack больше нельзя написать",
    "sent: null",
    "sent: null",
    ...Array(2).fill("unknown: Связь со Slack прервалась: дошло ли сообщение, неизвестно"),
  ]);
  expect(Object.keys(fates).map((channel) => sentTo(channel).length)).toEqual([1, 1, 0, 1, 0]);

  await expect.poll(async () => (await shown(slack)).trouble, WAIT).toBeNull();
  const { opened } = workspace;
  workspace.renew();
  await expect.poll(() => workspace.opened, WAIT).toBeGreaterThan(opened);
  workspace.push("renewed", slackMessage("DOK", "Привет!"));
  await expect.poll(() => sentTo("DOK").length, WAIT).toBe(2);
  workspace.revoked.add(slack.token);
  workspace.push("revoked", slackMessage("DOK", "Привет!"));
  await expect.poll(async () => (await shown(slack)).status, WAIT).toBe("error");
  expect((await shown(slack)).statusReason).toMatch(/^Slack не принимает ключ бота/);
});

test("refused tokens are reported at once; with a bot token alone the integration only sends, and says so", async () => {
  const refused = (apiKey: string, settings: object = {}) =>
    refusedConnection(t, { platform: "slack", apiKey, settings });
  workspace.revoked.add("xoxb-wrong");
  expect(await refused("xoxb-wrong")).toEqual([422, expect.stringContaining("не принимает ключ")]);
  workspace.revoked.add("xapp-wrong");
  expect(await refused("xoxb-1", { app_token: "xapp-wrong" })).toEqual([422, expect.any(String)]);
  const slack = await connect({ webhook_url: "https://hooks.slack.com/services/T1/B1/x" });
  const limited = {
    connection: "connected",
    trouble: null,
    limitation: expect.stringMatching(/Signing Secret/),
    webhook: null,
  };
  await expect.poll(() => shown(slack), WAIT).toMatchObject(limited);
});
