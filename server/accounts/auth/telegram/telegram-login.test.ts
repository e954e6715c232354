import { createHash, createHmac, randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usedTelegramLogins, users } from "#server/platform/db/schema/accounts.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const BOT = { name: "test_twins_bot", token: "424242:test-bot-token-0123456789abcdef" };

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ telegramBot: BOT });
});
afterAll(() => t.close());

type Fields = Record<string, unknown>;

/** Signs like Telegram's widget, written from its documentation and independent of the tested code. */
function signed(fields: Fields, token = BOT.token): Fields {
  const text = Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join("\n");
  const hash = createHmac("sha256", createHash("sha256").update(token).digest()).update(text).digest("hex");
  return { ...fields, hash };
}

const now = () => Math.floor(Date.now() / 1000);
const person = (changes: Fields = {}): Fields => ({
  id: randomInt(1_000_000, 2_000_000_000),
  first_name: "Иван",
  username: "ivan",
  photo_url: "https://t.me/i/userpic/320/ivan.jpg",
  auth_date: now(),
  ...changes,
});
const signIn = (payload: Fields) => t.anonymous.post("/api/auth/telegram", payload);

describe("signing in by Telegram", () => {
  test("opens an account of its own at the first time and the same one afterwards", async () => {
    const ivan = person();
    const first = await signIn(signed(ivan));
    expect(first.statusCode).toBe(200);
    const { user, token } = first.json();
    expect(user).toMatchObject({ first_name: "Иван", telegramUsername: "ivan", authMethod: "telegram", email: null });
    expect(user).toMatchObject({ photo_url: ivan.photo_url, role: "org_admin", superAdmin: false });
    const verify = await t.app.inject({ url: "/api/auth/verify", headers: { authorization: `Bearer ${token}` } });
    expect(verify.json().user).toEqual(user);
    const again = await signIn(signed({ ...ivan, first_name: "Ваня", auth_date: now() - 1 }));
    expect(again.json().user).toMatchObject({ id: user.id, first_name: "Ваня", organizationId: user.organizationId });
  });

  test("twice at once for the first time opens one account", async () => {
    const ivan = person();
    const answers = await Promise.all([0, 1, 2].map((i) => signIn(signed({ ...ivan, auth_date: now() - i }))));
    expect(new Set(answers.map((answer) => answer.json().user.id)).size).toBe(1);
  });

  test("takes numbers as texts alike, and fields that the widget may gain", async () => {
    const ivan = person();
    const first = await signIn(signed(ivan));
    const texts = signed({ ...ivan, id: String(ivan.id), auth_date: String(now() - 2), allows_write_to_pm: true });
    expect((await signIn(texts)).json().user.id).toBe(first.json().user.id);
  });

  test("does not inherit the account of another person who had the username before", async () => {
    const before = await signIn(signed(person({ username: "recycled" })));
    const after = await signIn(signed(person({ username: "recycled" })));
    expect(after.statusCode).toBe(200);
    expect(after.json().user.id).not.toBe(before.json().user.id);
    expect(after.json().user.organizationId).not.toBe(before.json().user.organizationId);
  });

  test("gives a browser a bound session", async () => {
    const answer = await t.anonymous.inject({
      method: "POST",
      url: "/api/auth/telegram",
      payload: signed(person()),
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(answer.cookies[0]).toMatchObject({ name: "session", httpOnly: true });
  });
});

describe("a Telegram login is refused", () => {
  const refusals: [string, () => Fields][] = [
    ["without a signature", () => person()],
    ["with an empty signature", () => ({ ...person(), hash: "" })],
    ["with a signature of another length", () => ({ ...person(), hash: "00" })],
    ["signed by another bot", () => signed(person(), "1:another-bot-token-0123456789abcdef")],
    ["with another id than was signed", () => ({ ...signed(person()), id: 777 })],
    ["with another name than was signed", () => ({ ...signed(person()), first_name: "Пётр" })],
    ["with an empty field that was not signed", () => ({ ...signed(person()), last_name: "" })],
    ["with a field left out", () => ({ ...signed(person()), username: undefined })],
    ["with a field added", () => ({ ...signed(person()), extra: "1" })],
    ["without its time", () => signed({ id: 4242, first_name: "Иван" })],
    ["older than five minutes", () => signed(person({ auth_date: now() - 301 }))],
    ["from the future", () => signed(person({ auth_date: now() + 3600 }))],
    ["with a nested field", () => signed(person({ extra: { nested: true } }))],
    ["with a line break that hides another field", () => signed(person({ first_name: "a\nid=1" }))],
    ["of the demo user without demo mode", () => ({ id: 123456789, first_name: "Test", last_name: "User" })],
  ];
  test.each(refusals)("%s", async (_, payload) => {
    const before = await t.services.db.$count(users);
    const answer = await signIn(payload());
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(await t.services.db.$count(users)).toBe(before);
  });

  test.each([[null], [[]], [{}], [""], [-1], [1.5], ["1 or 1=1"], [true]])("with the id %j", async (id) => {
    expect((await signIn(signed(person({ id })))).statusCode).toBe(400);
  });

  test("the second time, also in another case of letters", async () => {
    const payload = signed(person());
    expect((await signIn(payload)).statusCode).toBe(200);
    expect((await signIn(payload)).statusCode).toBe(401);
    expect((await signIn({ ...payload, hash: String(payload.hash).toUpperCase() })).statusCode).toBe(401);
    expect((await signIn({ ...payload, id: String(payload.id) })).statusCode).toBe(401);
  });

  test("all times but one when it is sent many times at once", async () => {
    const payload = signed(person());
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(payload)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test("as long as it would be accepted, then forgotten", async () => {
    const payload = signed(person());
    await signIn(payload);
    const own = eq(usedTelegramLogins.hash, String(payload.hash));
    expect(await t.services.db.$count(usedTelegramLogins, own)).toBe(1);
    await t.services.db
      .update(usedTelegramLogins)
      .set({ expiresAt: new Date(Date.now() - 61_000) })
      .where(own);
    await signIn(signed(person()));
    expect(await t.services.db.$count(usedTelegramLogins, own)).toBe(0);
  });
});

test("the thirty-first login in a minute from one address is turned away with Retry-After", async () => {
  // Rate limits are off in test apps, so that other tests need not count their requests; this app has them.
  const limited = await testApp({ telegramBot: BOT, requestsPerMinute: 600 });
  try {
    const from = (remoteAddress: string) =>
      limited.app.inject({ method: "POST", url: "/api/auth/telegram", payload: person(), remoteAddress });
    for (let i = 0; i < 30; i++) expect((await from("192.0.2.9")).statusCode).toBe(401);
    const refused = await from("192.0.2.9");
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await from("192.0.2.10")).statusCode).toBe(401);
  } finally {
    await limited.close();
  }
});

test("without a bot the sign-in by Telegram is off", async () => {
  const bare = await testApp();
  try {
    const answer = await bare.anonymous.post("/api/auth/telegram", signed(person()));
    expect(answer.statusCode).toBe(401);
    expect((await bare.anonymous.get("/api/config")).json().telegramBot).toBeNull();
  } finally {
    await bare.close();
  }
});
