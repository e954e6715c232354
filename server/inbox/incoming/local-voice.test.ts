/** A Telegram voice message is recognised on this machine by the real library: nothing leaves the machine. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { connectTwin, listedConversations, transcript, WAIT } from "#server/test/channels/channel-journey.ts";
import { noSherpa } from "#server/test/media/has-sherpa.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const missing = noSherpa();
describe.skipIf(missing !== null)(`on this machine${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: string;
  let telegram: TelegramServer;
  let t: TestApp;
  let supervisor: Supervisor;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-local-voice-"));
    telegram = await startTelegramServer();
    t = await testApp({
      ...{ telegramApiRoot: telegram.root, publicUrl: "https://twins.example" },
      media: { speechModel: await writeToneModel(folder), ocrData: null },
    });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await telegram.close();
    await rm(folder, { recursive: true });
  });

  test("a voice message is heard and stands as its words in the conversation, with how sure that is", async () => {
    const token = "900:token-of-a-bot-0123456789abcdefghij";
    const { ann } = await connectTwin(t, { platform: "telegram", apiKey: token }, "draft");
    const { organizationId } = ann.caller;
    const operator = await t.signUp({ superAdmin: true, organizationId });
    const form = { mode: "local", longestSeconds: 60, dailyLimit: 30 };
    const set = await operator.put(`/api/organizations/${organizationId}/media-readers/speech`, form);
    expect(set.statusCode, set.body).toBe(200);
    await expect.poll(() => telegram.webhooks.has(token), WAIT).toBe(true);
    const { url, secret } = telegram.webhooks.get(token)!;
    const recording = await readFile(new URL("../../test/media/samples/call.ogg", import.meta.url));
    telegram.kept.set("said", recording);
    const said = { file_id: "said", file_unique_id: "said", mime_type: "audio/ogg" };
    const voice = { ...said, duration: 5, file_size: recording.length };
    const { text: _none, ...message } = telegram.privateMessage(70_000, "", { voice }).message as Record<
      string,
      unknown
    >;
    const headers = { "x-telegram-bot-api-secret-token": secret };
    const payload = { update_id: 1, message };
    await t.anonymous.inject({ method: "POST", url: new URL(url).pathname, payload, headers });
    const heard = async () => {
      const [talk] = await listedConversations(ann);
      const lines = talk === undefined ? [] : await transcript(ann, talk.id);
      return JSON.stringify(lines.map(({ media }) => media));
    };
    await expect.poll(heard, { ...WAIT, timeout: 30_000 }).toContain("перезвоните пожалуиста");
  });
});
