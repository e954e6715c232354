/** A whole server with a Telegram of its own for people's accounts: what tests of a connected account start from. */

import { eq } from "drizzle-orm";
import {
  type Account,
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "../factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { dcOf, signIn } from "./telegram-account.ts";

export interface ConnectedAccount {
  ann: TestClient;
  account: Account;
  twinId: string;
  id: string;
}

export interface AccountBench {
  t: TestApp;
  telegram: TelegramAccountServer;
  /** A new owner's twin with a new account; `fill` gives it its dialogs before it signs in. */
  connect(fill: (account: Account) => void): Promise<ConnectedAccount>;
  /** Looks at the integrations at once. */
  look(): Promise<void>;
  /** No process receives until it is started again. */
  stopReceiving(): Promise<void>;
  startReceiving(): void;
  close(): Promise<void>;
}

/** What an account has received, in its order. */
export async function inboundOf({ services: { db } }: TestApp, integrationId: string): Promise<Inbound[]> {
  const rows = await db
    .select()
    .from(inboxEvents)
    .where(eq(inboxEvents.integrationId, integrationId))
    .orderBy(inboxEvents.position);
  return rows.map(({ inbound }) => Inbound.parse(inbound));
}

/** @param settings of the server besides */
export async function accountBench(settings: Parameters<typeof testApp>[0] = {}): Promise<AccountBench> {
  const telegram = await startTelegramAccountServer();
  const t = await testApp({ ...settings, telegramDc: dcOf(telegram) });
  const start = () => startSupervisor(t.services, { everyMs: 150, backoffMs: 50 });
  let supervisor: Supervisor = start();
  let phones = 79002220000;
  return {
    t,
    telegram,
    async connect(fill) {
      const ann = await t.signUp();
      const account = telegram.person(String(++phones), { name: "Анна" });
      fill(account);
      const twinId = await buildTwin(ann);
      const post = async (path: string, body: object) => (await ann.post(path, body)).json();
      return { ann, account, twinId, id: await signIn(post, account, twinId) };
    },
    look: () => supervisor.look(),
    stopReceiving: () => supervisor.stop(),
    startReceiving() {
      supervisor = start();
    },
    async close() {
      await supervisor.stop();
      await t.close();
      await telegram.close();
    },
  };
}
