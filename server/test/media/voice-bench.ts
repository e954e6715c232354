/** A bot whose recordings a local service reads. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import type { MediaKind } from "#contract/models/media-readers.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import {
  type Connected,
  connectTwin,
  listedConversations,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { readBy } from "#server/test/media-readers.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { startWhatsappServer, type WhatsappServer } from "#server/test/servers/whatsapp-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let telegram: TelegramServer;
export let meta: WhatsappServer;
export let service: RecognitionServer;
export let t: TestApp;
let supervisor: Supervisor;

let bots = 500;
let people = 50_000;

interface Bot extends Connected {
  token: string;
  ivan: number;
  /** Sends an update as Telegram's servers do, to the address that the bot has announced. */
  push(more: Record<string, unknown>): Promise<void>;
}

export async function bot(
  autonomy: Autonomy = "draft",
  kinds: readonly MediaKind[] = ["speech", "picture"],
): Promise<Bot> {
  const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
  const connected = await connectTwin(t, { platform: "telegram", apiKey: token }, autonomy);
  for (const kind of kinds) await readBy({ t, service }, connected.ann, kind);
  await expect.poll(() => telegram.webhooks.has(token), WAIT).toBe(true);
  const { url, secret } = telegram.webhooks.get(token)!;
  const ivan = ++people;
  const push = async (more: Record<string, unknown>) => {
    const { text: _none, ...message } = telegram.privateMessage(ivan, "", more).message as Record<string, unknown>;
    const payload = { update_id: ++bots * 1000, message: "text" in more ? { ...message, text: more.text } : message };
    const headers = { "x-telegram-bot-api-secret-token": secret };
    const taken = await t.anonymous.inject({ method: "POST", url: new URL(url).pathname, payload, headers });
    expect(taken.statusCode).toBe(200);
  };
  return { ...connected, token, ivan, push };
}

let files = 0;
export function voice(bytes = silentWav(2), seconds = 2): Record<string, unknown> {
  const file_id = `file-${++files}`;
  telegram.kept.set(file_id, bytes);
  return {
    voice: { file_id, file_unique_id: file_id, duration: seconds, mime_type: "audio/ogg", file_size: bytes.length },
  };
}

export async function linesOf({ ann }: Connected): Promise<ChatMessage[]> {
  const [talk] = await listedConversations(ann);
  return talk === undefined ? [] : transcript(ann, talk.id);
}
export const mediaOf = async (connected: Connected) => (await linesOf(connected)).flatMap(({ media }) => media ?? []);
/** Every message that came is in its conversation, and all that it held is read or given up. */
export const settled = (connected: Connected) =>
  expect
    .poll(async () => (await mediaOf(connected)).map(({ state }) => state === "waiting"), WAIT)
    .toSatisfy((waiting: boolean[]) => waiting.length > 0 && !waiting.includes(true));

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareVoice(): void {
  beforeAll(async () => {
    telegram = await startTelegramServer();
    meta = await startWhatsappServer();
    service = await startRecognitionServer();
    t = await testApp({
      ...{ telegramApiRoot: telegram.root, whatsappGraphUrl: meta.root, publicUrl: "https://twins.example" },
      localModelHosts: ["127.0.0.1"],
    });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await service.close();
    await meta.close();
    await telegram.close();
  });
  beforeEach(() => {
    service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
    service.heard.length = 0;
    service.next.length = 0;
  });
}

export const newFile = () => ++files;
