/** Kills the server while it reads an account: the restarted import has the same result as an undisturbed one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TelegramImportState } from "#contract/integrations/telegram-account.ts";
import {
  type Account,
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { signIn } from "#server/test/channels/telegram-account.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";

/** Set IMPORT_KILLS=12 to run it by hand. */
const KILLS = Number(process.env.IMPORT_KILLS ?? 1);
/** Each run of the server stores a thousand messages, one transaction, and reads some further pages that the kill discards. */
const PER_LIFE = 1000;
const PAGE = 100;
const MESSAGES = (KILLS + 1) * PER_LIFE + 50;
const FEW = 40;
const WAIT = { timeout: 60_000, interval: 20 };
const METHOD = "messages.getHistory";
let telegram: TelegramAccountServer;
let server: KillableServer;
beforeAll(async () => {
  telegram = await startTelegramAccountServer();
  server = await startKillableServer({ TELEGRAM_DC: telegram.address, TELEGRAM_DC_KEY: telegram.publicKey });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await telegram.close();
});

const lines = (count: number, about: string) => Array.from({ length: count }, (_, n) => `${about}, сообщение ${n + 1}`);
const pagesAsked = () => telegram.calls.filter((call) => call === METHOD).length;

async function connect(phone: string): Promise<{ twinId: string; url: string }> {
  const account: Account = telegram.person(phone, { name: "Анна" });
  telegram.addDialog(account, 501, "Иван", lines(MESSAGES, "доставка"));
  telegram.addDialog(account, 502, "Олег", lines(FEW, "возврат"));
  const twinId = await server.twin();
  const id = await signIn((path, body) => server.call("POST", path, body), account, twinId);
  return { twinId, url: `/api/integrations/telegram/${id}/import-data` };
}

/** Returns all data that an import creates, without generated ids. */
async function resultOf(twinId: string) {
  const imports = await server.rows(
    `select status, total, processed, imported, duplicates, position from imports where twin_id = '${twinId}'`,
  );
  const messages = await server.rows<object>(
    `select chats.external_id as chat, messages.external_id as id, from_owner, text, sent_at::text from messages
      join chats on chats.id = chat_id where messages.twin_id = '${twinId}' order by 1, sent_at, messages.id`,
  );
  const pairs = await server.rows(
    `select incoming, reply, replied_at::text from reply_examples where twin_id = '${twinId}' order by replied_at, reply`,
  );
  return { imports, messages, pairs };
}

test(
  "an account's import that is killed ends like one that was left alone",
  async () => {
    const limits = { dialogsLimit: 10, messagesPerDialog: MESSAGES };
    const clean = await connect("79005550001");
    await server.call("POST", clean.url, limits);
    const killed = await connect("79005550002");
    const state = (): Promise<TelegramImportState> => server.call("GET", killed.url);

    let release = telegram.hold(METHOD);
    const before = pagesAsked();
    // The waiting request ended with the server.
    server.call("POST", killed.url, limits).catch(() => {});
    await expect.poll(pagesAsked, WAIT).toBe(before + 1);
    let stored = 0;
    for (let life = 1; life <= KILLS; life++) {
      // The small dialog is read first, in one page.
      const pages = PER_LIFE / PAGE + (life === 1 ? 1 : 0) + ((life * 7) % 9);
      for (let page = 0; page < pages; page++) {
        const asked = pagesAsked();
        release();
        release = telegram.hold(METHOD);
        await expect.poll(pagesAsked, WAIT).toBe(asked + 1);
      }
      const { messages } = await state();
      expect(messages).toBe(stored + PER_LIFE + (life === 1 ? FEW : 0));
      stored = messages;
      await server.kill();
      release();
      release = telegram.hold(METHOD);
      const asked = pagesAsked();
      await server.start();
      await expect.poll(pagesAsked, WAIT).toBe(asked + 1);
      expect(await state()).toMatchObject({ status: "running", messages: stored });
    }
    release();
    await expect.poll(async () => (await state()).status, WAIT).toBe("done");
    expect((await server.stop()).code).toBe(0);

    const expected = await resultOf(clean.twinId);
    expect(expected.imports).toMatchObject([{ status: "done", imported: MESSAGES + FEW, duplicates: 0 }]);
    expect(expected.messages).toHaveLength(MESSAGES + FEW);
    expect(expected.pairs.length).toBeGreaterThan(MESSAGES / 4);
    expect(await resultOf(killed.twinId)).toEqual(expected);
  },
  90_000 + KILLS * 30_000,
);
