/** Sends of a Telegram account that fail, and sessions that end. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Integration } from "#contract/integrations/integrations.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { inboundOf } from "#server/test/channels/account-bench.ts";
import { signIn } from "#server/test/channels/telegram-account.ts";
import {
  approveFirst,
  connect,
  IVAN,
  prepareUser,
  rowOfOutbox,
  t,
  telegram,
  WAIT,
} from "#server/test/channels/user-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareUser();

const shown = async (ann: TestClient, id: string): Promise<Integration> =>
  (await ann.get("/api/integrations")).json().find((one: Integration) => one.id === id);

test("a send that Telegram puts off or whose answer is lost is delivered once; a refusal names its reason", async () => {
  const { ann, account, id } = await connect();
  telegram.fail("messages.sendMessage", "FLOOD_WAIT_1");
  telegram.say(account, IVAN, "Вы работаете в субботу?");
  await approveFirst(ann);
  await expect.poll(() => account.sent.length, WAIT).toBe(1);
  await expect.poll(async () => (await rowOfOutbox(id)).state, WAIT).toBe("sent");
  const sends = () => telegram.calls.filter((call) => call === "messages.sendMessage").length;
  const before = sends();
  const release = telegram.hold("messages.sendMessage");
  const stateOf = async ({ id }: Approval) => (await t.services.db.select().from(outbox).where(eq(outbox.id, id)))[0]!;
  telegram.say(account, IVAN, "А в воскресенье?");
  const lost = await approveFirst(ann);
  await expect.poll(() => sends() - before, WAIT).toBe(1);
  telegram.dropConnections();
  release();
  await expect.poll(() => stateOf(lost), WAIT).toMatchObject({ state: "sent" });
  expect(account.sent).toHaveLength(2);
  telegram.fail("messages.sendMessage", "USER_PRIVACY_RESTRICTED");
  telegram.say(account, IVAN, "Ответите?");
  const last = await approveFirst(ann);
  await expect
    .poll(() => stateOf(last), WAIT)
    .toMatchObject({ state: "failed", reason: expect.stringMatching(/ограничил в настройках/) });
  expect(account.sent).toHaveLength(2);
});

test("a session that was ended by hand stops the integration and says what to do; signing in again restores it", async () => {
  const { ann, account, twinId, id } = await connect();
  telegram.revoke(account);
  await expect.poll(async () => (await shown(ann, id)).status, WAIT).toBe("error");
  expect((await shown(ann, id)).statusReason).toBe(
    "Telegram завершил сеанс. Войдите в аккаунт заново через мастер на странице «Интеграции».",
  );
  telegram.say(account, IVAN, "вы тут?", true);
  expect(await signIn(async (path, body) => (await ann.post(path, body)).json(), account, twinId)).toBe(id);
  await expect.poll(async () => (await inboundOf(t, id)).map(({ text }) => text), WAIT).toEqual(["вы тут?"]);
  expect(await shown(ann, id)).toMatchObject({ status: "active", statusReason: null });
});
