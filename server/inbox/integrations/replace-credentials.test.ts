/** A broken key is replaced in place: receiving continues where it stopped, and only a key of the same account is accepted. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Integration } from "#contract/integrations/integrations.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import {
  bench,
  nextToken,
  prepareReplacedCredentials,
  replace,
} from "#server/test/integrations/replace-credentials-bench.ts";

prepareReplacedCredentials();

const rowOf = async (id: string) => {
  const [row] = await bench.t.services.db.select().from(integrations).where(eq(integrations.id, id));
  return row!;
};
const read = async ({ owner, integration }: ConnectedBot): Promise<Integration> =>
  (await owner.get(`/api/integrations/${integration.id}`)).json();
const broken = async (bot: ConnectedBot) => {
  bench.telegram.revoked.add(bot.token);
  // Ends the waiting poll, so that the next one is refused.
  bench.telegram.push(bot.token, { update_id: 999_000 });
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("action");
};

test("a revoked token is replaced in place: another process connects, and conversation, level and place go on", async () => {
  const bot = await bench.connect("auto");
  bench.telegram.say(bot.token, bot.ivan, "Здравствуйте!");
  await bench.handled(bot, 1);
  await broken(bot);
  const before = await rowOf(bot.integration.id);

  const answer = await replace(bot, nextToken(bot));
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    connection: "connecting",
    trouble: null,
    statusReason: null,
    autonomy: "auto",
  });
  // The request did not notify the supervisor, which read the row like a process on another machine.
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("connected");
  bench.telegram.say(nextToken(bot), bot.ivan, "Вы ещё здесь?");
  await bench.handled(bot, 2);
  const { db, vault } = bench.t.services;
  const talks = await db.select().from(conversations).where(eq(conversations.integrationId, bot.integration.id));
  expect(talks).toHaveLength(1);
  const after = await rowOf(bot.integration.id);
  expect(after).toMatchObject({ id: before.id, autonomy: "auto", accountId: before.accountId });
  expect(openCredentials(vault, after)).toMatchObject({ botToken: nextToken(bot) });
  const events = await bot.owner.get(`/api/integrations/${bot.integration.id}/events`);
  const said = events.json().map(({ text }: { text: string }) => text);
  expect(said.slice(0, 2)).toEqual([`Подключено: ${after.account}`, `Ключ заменён: ${after.account}`]);
  const entries = await db.select().from(auditLog).where(eq(auditLog.action, "integration-key-replaced"));
  expect(entries.filter(({ subject }) => subject === bot.integration.id)).toHaveLength(1);
  expect(JSON.stringify(entries)).not.toContain("token-of-a-bot");
});

test("another bot's token, a refused one and one that could not be tried leave the stored key as it is", async () => {
  const bot = await bench.connect();
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("connected");
  const other = await replace(bot, "777:token-of-a-bot-0123456789abcdefghij");
  expect(other.statusCode).toBe(422);
  expect(other.json()).toMatchObject({
    code: "other_account",
    message: "Это другой бот: @bot777_bot. Подключите его отдельно.",
  });
  bench.telegram.revoked.add(nextToken(bot));
  const refused = await replace(bot, nextToken(bot));
  expect(refused.json().code).toBe("credentials_refused");
  // The platform decides about a key of unusual form; a key that cannot be sent to it is refused at once.
  expect((await replace(bot, "cut-off")).json().code).toBe("credentials_refused");
  expect((await replace(bot, "cut off")).statusCode).toBe(400);
  const elsewhere = await replace(bot, "three.parts.token", { platform: "discord" });
  expect(elsewhere.json()).toMatchObject({ code: "other_account", message: "Это ключ другой платформы" });
  expect(openCredentials(bench.t.services.vault, await rowOf(bot.integration.id))).toMatchObject({
    botToken: bot.token,
  });
  expect((await read(bot)).connection).toBe("connected");
});

test("a refusal of the former key that comes late does not stop the integration with the new one", async () => {
  const bot = await bench.connect();
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("connected");
  const answer = await replace(bot, nextToken(bot));
  expect(answer.statusCode, answer.body).toBe(200);
  bench.telegram.revoked.add(bot.token);
  bench.telegram.push(bot.token, { update_id: 999_001 });
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("connected");
  await bench.supervisor.look();
  expect((await rowOf(bot.integration.id)).status).toBe("active");
});

test("a new token of WhatsApp keeps the App Secret and the number that were entered before", async () => {
  const owner = await bench.t.signUp();
  const { twinId } = await bench.connect("draft", owner);
  const made = await owner.post("/api/integrations/create", {
    digitalTwinId: twinId,
    platform: "whatsapp",
    apiKey: "EAA-7",
    phoneNumber: "+79990000007",
    settings: { app_secret: "secret" },
  });
  const { id } = made.json();
  const wrong = await owner.put(`/api/integrations/${id}/credentials`, {
    platform: "whatsapp",
    apiKey: "EAA-8",
    phoneNumber: "+79990000008",
  });
  expect(wrong.json().message).toBe("Это другой номер: +7 999 000-00-08. Подключите его отдельно.");
  const right = await owner.put(`/api/integrations/${id}/credentials`, { platform: "whatsapp", apiKey: "EAA-7" });
  expect(right.statusCode, right.body).toBe(200);
  expect(openCredentials(bench.t.services.vault, await rowOf(id))).toEqual({
    platform: "whatsapp",
    accessToken: "EAA-7",
    appSecret: "secret",
    phoneNumber: "+79990000007",
  });
});

test("a check of the connection names the account, clears its trouble, is not repeated at once, and finds a key that was revoked", async () => {
  const bot = await bench.connect();
  await expect.poll(async () => (await read(bot)).connection, WAIT).toBe("connected");
  const { db } = bench.t.services;
  const ofRow = eq(integrations.id, bot.integration.id);
  const check = async (set: Partial<typeof integrations.$inferInsert> = {}) => {
    await db
      .update(integrations)
      .set({ checkedAt: null, ...set })
      .where(ofRow);
    return (await bot.owner.post(`/api/integrations/${bot.integration.id}/check`)).json();
  };
  const { account } = await read(bot);
  const said = `Соединение есть: ${account}`;
  expect(await check({ trouble: "Telegram недоступен" })).toMatchObject({ ok: true, account, message: said });
  expect((await read(bot)).trouble).toBeNull();
  const again = await bot.owner.post(`/api/integrations/${bot.integration.id}/check`);
  expect([again.statusCode, again.json().code]).toEqual([429, "checked_just_now"]);

  bench.telegram.revoked.add(bot.token);
  const refused = await check();
  expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("Telegram не принимает ключ бота") });
  expect(refused.steps.at(-1)).toMatchObject({ state: "failed", advice: "Исправьте ключ: сама платформа доступна." });
  expect(await read(bot)).toMatchObject({ status: "error", statusReason: refused.message });
  const log = await bot.owner.get(`/api/integrations/${bot.integration.id}/events`);
  const lines = log.json().map(({ text }: { text: string }) => text);
  expect(lines).toEqual(
    expect.arrayContaining([`Проверка: соединение есть, ${account}`, `Проверка: ${refused.message}`]),
  );
});

test("a platform that cannot be asked leaves the former key, and says so", async () => {
  const bot = await bench.connect();
  const { config } = bench.t.services;
  const { telegramApiRoot } = config;
  config.telegramApiRoot = "http://127.0.0.1:9";
  try {
    const answer = await replace(bot, nextToken(bot));
    expect([answer.statusCode, answer.json().code]).toEqual([502, "credentials_unchecked"]);
    expect(answer.json().message).toBe("Telegram недоступен. Прежний ключ остался, повторите позже.");
  } finally {
    config.telegramApiRoot = telegramApiRoot;
  }
  const stored = openCredentials(bench.t.services.vault, await rowOf(bot.integration.id));
  expect(stored).toMatchObject({ botToken: bot.token });
});
