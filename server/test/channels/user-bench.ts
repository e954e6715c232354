/** A Telegram account that is connected to a local server. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Account, TelegramAccountServer } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { type AccountBench, accountBench, type ConnectedAccount } from "#server/test/channels/account-bench.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";

export let bench: AccountBench;
export let t: TestApp;
export let telegram: TelegramAccountServer;

export const WAIT = { timeout: 20_000, interval: 50 };
export const IVAN = 501;

/** A twin with an account that has a dialog with Иван, connected and listening. */
export async function connect(): Promise<ConnectedAccount> {
  const connected = await bench.connect((account) => {
    telegram.addDialog(account, IVAN, "Иван", ["привет", "здравствуйте"]);
    telegram.addDialog(account, 900, "Чат дома", ["все привет"], "group");
  });
  await bench.look();
  await expect.poll(() => connectionsOf(connected.account), WAIT).toBe(1);
  await expect.poll(async () => "pts" in (await rowOf(connected.id)).cursor, WAIT).toBe(true);
  return connected;
}

export const connectionsOf = (account: Account): number =>
  [...telegram.mtproto.keys.values()]
    .filter(({ kept }) => kept.account === account)
    .reduce((sum, { connections }) => sum + connections.size, 0);
async function rowOf(id: string) {
  return (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!;
}
export const approvals = async (ann: TestClient): Promise<Approval[]> => (await ann.get("/api/approvals")).json();
export async function approveFirst(ann: TestClient): Promise<Approval> {
  await expect.poll(async () => (await approvals(ann)).length, WAIT).toBe(1);
  const [draft] = await approvals(ann);
  await ann.post(`/api/approvals/${draft!.id}/approve`);
  return draft!;
}

export async function rowOfOutbox(id: string) {
  return (await t.services.db.select().from(outbox).where(eq(outbox.integrationId, id)))[0]!;
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareUser(): void {
  beforeAll(async () => {
    bench = await accountBench();
    ({ t, telegram } = bench);
  });
  afterAll(() => bench.close());
}
