/** Files in the chats of a Telegram account. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { MessageMedia } from "#contract/media.ts";
import { MEDIA_KINDS } from "#contract/media-kinds.ts";
import type { SentFile, TelegramAccountServer } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { type AccountBench, accountBench, type ConnectedAccount } from "#server/test/channels/account-bench.ts";
import { listedConversations, transcript, WAIT } from "#server/test/channels/channel-journey.ts";
import { readBy } from "#server/test/media-readers.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import type { TestApp } from "#server/test/test-app.ts";

export const IVAN = 501;
export let bench: AccountBench;
export let t: TestApp;
export let telegram: TelegramAccountServer;
let service: RecognitionServer;

export const voice = (bytes: Uint8Array, more: Partial<SentFile> = {}): SentFile => ({ as: "voice", bytes, ...more });
export const downloads = () => telegram.calls.filter((call) => call === "upload.getFile").length;

export async function connected(): Promise<ConnectedAccount> {
  const one = await bench.connect((account) => telegram.addDialog(account, IVAN, "Иван", ["привет"]));
  for (const kind of MEDIA_KINDS) await readBy({ t, service }, one.ann, kind, { keptDays: 7 });
  await listening(one);
  return one;
}

async function listening({ id }: ConnectedAccount): Promise<void> {
  await bench.look();
  const cursor = async () =>
    (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!.cursor;
  await expect.poll(async () => "pts" in (await cursor()), WAIT).toBe(true);
}

async function mediaOf({ ann }: ConnectedAccount): Promise<MessageMedia[]> {
  const [talk] = await listedConversations(ann);
  const lines = talk === undefined ? [] : await transcript(ann, talk.id);
  return lines.flatMap(({ media }) => media ?? []);
}
export async function settled(one: ConnectedAccount, count = 1): Promise<MessageMedia[]> {
  const ended = async () => (await mediaOf(one)).filter(({ state }) => state !== "waiting").length;
  await expect.poll(ended, WAIT).toBe(count);
  return mediaOf(one);
}
export const rowsOf = ({ ann }: ConnectedAccount) =>
  t.services.db.select().from(mediaFiles).where(eq(mediaFiles.orgId, ann.caller.organizationId));

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareAccountMedia(): void {
  beforeAll(async () => {
    service = await startRecognitionServer();
    bench = await accountBench({ localModelHosts: ["127.0.0.1"] });
    ({ t, telegram } = bench);
  });
  afterAll(async () => {
    await bench.close();
    await service.close();
  });
  beforeEach(() => {
    service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
    service.heard.length = 0;
    telegram.calls.length = 0;
  });
}
