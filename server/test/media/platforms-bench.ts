/** A sender on each platform whose recordings and pictures are read. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { MessageMedia } from "#contract/media.ts";
import { MEDIA_KINDS, type MediaKind } from "#contract/media-kinds.ts";
import {
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import {
  type Connected,
  connectTwin,
  listedConversations,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { dcOf, signIn } from "#server/test/channels/telegram-account.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { readBy } from "#server/test/media-readers.ts";
import { findDovecot, type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type MaxServer, maxAttachments, maxToken, startMaxServer } from "#server/test/servers/max-server.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { startVkServer, type VkServer, vkAttachments, vkKey } from "#server/test/servers/vk-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const PASSWORD = "app password";
const MAILBOXES = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`ann${at}@mail.test`, PASSWORD]));
const dovecot = findDovecot();
if (dovecot === undefined) console.warn("dovecot не найден: вложения писем на настоящем сервере не проверены");

let vk: VkServer;
let max: MaxServer;
let telegram: TelegramAccountServer;
let mail: MailServers | null = null;
export let service: RecognitionServer;
export let t: TestApp;
let supervisor: Supervisor;

/** What people send, as the platform keeps it. */
interface Sender {
  connected: Connected;
  /** The name of a voice message and of a picture in the transcript. */
  names: { voice: string; picture: string };
  voice(bytes: Buffer, text?: string): void;
  picture(bytes: Buffer, text?: string): void;
  /** How often a file of this sender was fetched; absent: its server does not say. */
  fetched?(): number;
  /** The platform's own transcript; absent: the platform does not transcribe. */
  heard?(bytes: Buffer | null, words: string): void;
}

let made = 0;
/** Each sender's files bear names of their own. */
const keeping = (kept: Map<string, Buffer>, whose: number) => (name: string, bytes: Buffer) => {
  kept.set(`${whose}-${name}`, bytes);
  return `${whose}-${name}`;
};
async function cursorOf({ integration }: Connected) {
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, integration.id));
  return row!.cursor;
}
const senders: Record<string, () => Promise<Sender>> = {
  async vk() {
    const group = 400 + ++made;
    const connected = await connectTwin(t, { platform: "vk", apiKey: vkKey(group) });
    const { voice, document } = vkAttachments(vk);
    const keep = keeping(vk.kept, group);
    const say = (text: string, attachment: object) => void vk.say(group, 60, text, { attachments: [attachment] });
    return {
      ...{ connected, names: { voice: "Голосовое сообщение", picture: "Документ" } },
      voice: (bytes, text = "") => say(text, voice(keep("said.ogg", bytes))),
      picture: (bytes, text = "") => say(text, document(keep("page.png", bytes), 4)),
      fetched: () => vk.fetched.filter((name) => name.startsWith(`${group}-`)).length,
      heard: (bytes, words) => say("", voice(bytes ? keep("heard.ogg", bytes) : "lost.ogg", { transcript: words })),
    };
  },
  async email() {
    const address = `ann${++made}@mail.test`;
    const connected = await connectTwin(t, { platform: "email", apiKey: PASSWORD, settings: { address } });
    // Letters that lie there before the first look are not answered.
    await expect.poll(() => cursorOf(connected), WAIT).toHaveProperty("inbox");
    let letters = 0;
    const send = (type: string, bytes: Buffer, text: string) => {
      const id = (number: number) => `<${made}.${number}@ivan.test>`;
      const part = (head: string, body: string) => `--part\r\n${head}\r\n\r\n${body}\r\n`;
      const lines = bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
      const head = [
        "From: Ivan <ivan@elsewhere.test>",
        `To: ${address}`,
        `Message-ID: ${id(++letters)}`,
        ...(letters === 1 ? [] : [`References: ${id(1)}`]),
        'Content-Type: multipart/mixed; boundary="part"',
      ];
      const body = [
        part("Content-Type: text/plain; charset=utf-8", text),
        part(`Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment`, lines),
        "--part--\r\n",
      ];
      void mail!.deliver(address, `${head.join("\r\n")}\r\n\r\n${body.join("")}`);
    };
    return {
      ...{ connected, names: { voice: "Аудио", picture: "Фото" } },
      voice: (bytes, text = "") => send("audio/ogg", bytes, text),
      picture: (bytes, text = "") => send("image/png", bytes, text),
    };
  },
  async "telegram account"() {
    const ann = await t.signUp();
    const account = telegram.person(String(79005550000 + ++made));
    telegram.addDialog(account, 60, "Иван", ["привет"]);
    const twinId = await buildTwin(ann);
    const id = await signIn(async (path, body) => (await ann.post(path, body)).json(), account, twinId);
    const integration = (await ann.get(`/api/integrations/${id}`)).json();
    const connected = { ann, twinId, integration };
    // What was said before the first look is history.
    await expect.poll(() => cursorOf(connected), WAIT).toHaveProperty("pts");
    const before = telegram.calls.length;
    return {
      ...{ connected, names: { voice: "Голосовое сообщение", picture: "Фото" } },
      voice: (bytes, caption = "") => void telegram.sendFile(account, 60, { as: "voice", bytes, caption }),
      picture: (bytes, caption = "") => void telegram.sendFile(account, 60, { as: "photo", bytes, caption }),
      fetched: () => telegram.calls.slice(before).filter((call) => call === "upload.getFile").length,
    };
  },
  async max() {
    const [token, user] = [maxToken(400 + ++made), 6000 + made];
    const connected = await connectTwin(t, { platform: "max", apiKey: token });
    const { voice, photo } = maxAttachments(max);
    const keep = keeping(max.kept, user);
    const say = (text: string, attachment: object) => void max.say(token, user, text, { attachments: [attachment] });
    return {
      ...{ connected, names: { voice: "Голосовое сообщение", picture: "Фото" } },
      voice: (bytes, text = "") => say(text, voice(keep("said.ogg", bytes))),
      picture: (bytes, text = "") => say(text, photo(keep("page.png", bytes))),
      fetched: () => max.fetched.filter((name) => name.startsWith(`${user}-`)).length,
      heard: (bytes, words) => say("", voice(bytes ? keep("heard.ogg", bytes) : "lost.ogg", words)),
    };
  },
};

/** Connected and read by the service on this machine, which requires the operator. */
export async function sender(platform: string, kinds: readonly MediaKind[] = MEDIA_KINDS): Promise<Sender> {
  const one = await senders[platform]!();
  for (const kind of kinds) await readBy({ t, service }, one.connected.ann, kind, { keptDays: 7 });
  await expect.poll(async () => (await shown(one.connected)).connection, WAIT).toBe("connected");
  return one;
}

export async function linesOf({ connected: { ann } }: Sender) {
  const [talk] = await listedConversations(ann);
  return talk === undefined ? [] : transcript(ann, talk.id);
}
export const mediaOf = async (one: Sender): Promise<MessageMedia[]> =>
  (await linesOf(one)).flatMap(({ media }) => media ?? []);
/** So many are read or given up. */
export async function settled(one: Sender, count = 1): Promise<MessageMedia[]> {
  const ended = async () => (await mediaOf(one)).filter(({ state }) => state !== "waiting").length;
  await expect.poll(ended, WAIT).toBe(count);
  return mediaOf(one);
}

export const platforms = Object.keys(senders).filter((platform) => platform !== "email" || dovecot !== undefined);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function preparePlatforms(): void {
  beforeAll(async () => {
    [vk, max, service] = [await startVkServer(), await startMaxServer(), await startRecognitionServer()];
    telegram = await startTelegramAccountServer();
    if (dovecot !== undefined) mail = await startMailServers(dovecot, MAILBOXES);
    const emailServers = mail && { imap: mail.imap, smtp: mail.smtp };
    const reached = { telegramDc: dcOf(telegram), localModelHosts: ["127.0.0.1"] };
    t = await testApp({ vkApiUrl: vk.root, maxApiUrl: max.root, emailServers, ...reached });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    for (const server of [vk, max, telegram, mail, service]) await server?.close();
    expect([...vk.faults, ...max.faults]).toEqual([]);
  });
  beforeEach(() => {
    service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
    service.heard.length = 0;
  });
}
