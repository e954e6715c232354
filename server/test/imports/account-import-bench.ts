/** A Telegram account whose dialogs are imported. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import type { TelegramImportState } from "#contract/integrations/telegram-account.ts";
import type { TelegramAccountServer } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { chats, messages } from "#server/platform/db/schema/knowledge.ts";
import { type AccountBench, accountBench, type ConnectedAccount } from "#server/test/channels/account-bench.ts";
import type { TestApp } from "#server/test/test-app.ts";

export let bench: AccountBench;
export let t: TestApp;
export let telegram: TelegramAccountServer;
const lines = (count: number, about: string) => Array.from({ length: count }, (_, n) => `${about}, сообщение ${n + 1}`);

/** Three people, the last of whom wrote least, and what is no private dialog. */
export const connect = (): Promise<ConnectedAccount> =>
  bench.connect((account) => {
    telegram.addDialog(account, 501, "Иван", lines(130, "доставка"));
    telegram.addDialog(account, 502, "Олег", lines(40, "возврат"));
    telegram.addDialog(account, 503, "Мария", lines(6, "оплата"));
    telegram.addDialog(account, 777000, "Telegram", ["Код для входа: 12345"]);
    telegram.addDialog(account, 900, "Чат дома", lines(5, "группа"), "group");
    telegram.addDialog(account, 903, "Дача", lines(4, "супергруппа"), "supergroup");
    telegram.addDialog(account, 901, "Новости", lines(5, "канал"), "channel");
    telegram.addDialog(account, 902, "Погода", lines(5, "бот"), "bot");
  });

export const url = (id: string) => `/api/integrations/telegram/${id}/import-data`;
export const LIMITS = { dialogsLimit: 10, messagesPerDialog: 100 };
export const read = ({ ann, id }: ConnectedAccount, dialogs?: string[]) =>
  ann.post(url(id), { ...LIMITS, ...(dialogs && { dialogs }) });
export const stateOf = async ({ ann, id }: ConnectedAccount): Promise<TelegramImportState> =>
  (await ann.get(url(id))).json();
export const stored = ({ twinId }: ConnectedAccount) =>
  t.services.db
    .select({
      chat: chats.externalId,
      kind: chats.kind,
      id: messages.externalId,
      own: messages.fromOwner,
      text: messages.text,
    })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .where(eq(messages.twinId, twinId))
    .orderBy(messages.chatId, messages.sentAt);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareAccountImport(): void {
  beforeAll(async () => {
    bench = await accountBench();
    ({ t, telegram } = bench);
  });
  afterAll(() => bench.close());
}
