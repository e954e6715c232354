import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passkeys, secondFactors, signInChallenges } from "#server/platform/db/schema/accounts.ts";
import { type Bent, SoftAuthenticator } from "#server/test/sign-in/authenticator.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { passkeyHost } from "./ceremony.ts";

const ORIGIN = "https://twins.example.test";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ publicUrl: ORIGIN });
});
afterAll(() => t.close());

async function register(client: TestClient, bent: Bent = {}, key = new SoftAuthenticator(ORIGIN)) {
  const options = (await client.post("/api/account/passkeys/options")).json();
  const answer = await client.post("/api/account/passkeys", { name: "Ноутбук", credential: key.create(options, bent) });
  return { key, answer, options };
}
const begin = async () => (await t.anonymous.post("/api/auth/passkey/options")).json();
const enter = (credential: object) => t.anonymous.post("/api/auth/passkey", { credential });

describe("a passkey", () => {
  test("opens its account without a second step", async () => {
    const client = await t.signUp();
    const { key, answer, options } = await register(client);
    expect(answer.statusCode, answer.body).toBe(201);
    expect(options).toMatchObject({
      rp: { id: "twins.example.test" },
      authenticatorSelection: { userVerification: "required", residentKey: "required" },
    });
    const vaultRow = { userId: client.caller.userId, secret: Buffer.alloc(1), enabledAt: new Date() };
    await t.services.db.insert(secondFactors).values(vaultRow);
    const entered = await enter(key.get(await begin()));
    expect(entered.statusCode, entered.body).toBe(200);
    expect(entered.json()).toMatchObject({ success: true, user: { id: client.caller.userId } });
  });

  const BENT: [string, Bent][] = [
    ["another origin", { origin: "https://twins.example.test.evil.test" }],
    ["another host", { rpId: "evil.test" }],
    ["a person who was not verified", { verified: false }],
    ["a challenge that nobody has set", { challenge: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["another account's name", { userHandle: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["a counter that went back", { counter: 1 }],
  ];
  test.each(BENT)("is refused with %s", async (_name, bent) => {
    const client = await t.signUp();
    const { key } = await register(client);
    expect((await enter(key.get(await begin()))).statusCode).toBe(200);
    expect((await enter(key.get(await begin(), bent))).statusCode).toBe(401);
  });

  test.each(BENT.slice(0, 4))("is not added with %s", async (_name, bent) => {
    const client = await t.signUp();
    expect((await register(client, bent)).answer.statusCode).toBe(400);
    expect((await client.get("/api/account/security")).json().passkeys).toEqual([]);
  });

  test("answers each challenge once, within five minutes, and only for the purpose and session that it was made for", async () => {
    const client = await t.signUp();
    const { key } = await register(client);
    const answer = key.get(await begin());
    expect((await enter(answer)).statusCode).toBe(200);
    expect((await enter(answer)).statusCode).toBe(401);

    const late = key.get(await begin());
    await t.services.db.update(signInChallenges).set({ expiresAt: new Date(Date.now() - 1) });
    expect((await enter(late)).statusCode).toBe(401);

    const begun = await t.anonymous.inject({
      method: "POST",
      url: "/api/auth/passkey/options",
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect((await enter(key.get(begun.json()))).statusCode).toBe(401);
    // A challenge for adding a key, or of another user, does not sign in.
    const options = (await client.post("/api/account/passkeys/options")).json();
    expect((await enter(key.get(options))).statusCode).toBe(401);
    const stranger = await t.signUp();
    const foreign = { name: "Чужой", credential: new SoftAuthenticator(ORIGIN).create(options) };
    expect((await stranger.post("/api/account/passkeys", foreign)).statusCode).toBe(400);
  });

  test("can be renamed and removed only by its owner, and opens nothing after that", async () => {
    const client = await t.signUp();
    const { key, answer } = await register(client);
    const { id } = answer.json();
    const again = await register(await t.signUp(), {}, key);
    expect([again.answer.statusCode, again.answer.json().code]).toEqual([409, "passkey_known"]);
    expect((await client.put(`/api/account/passkeys/${id}`, { name: "  Телефон " })).json().name).toBe("Телефон");
    expect((await client.delete(`/api/account/passkeys/${id}`)).statusCode).toBe(204);
    expect(await t.services.db.select().from(passkeys).where(eq(passkeys.id, id))).toEqual([]);
    expect((await enter(key.get(await begin()))).statusCode).toBe(401);
  });

  test("can confirm a session only of its own account", async () => {
    const client = await t.signUp();
    const { key } = await register(client);
    const other = (await register(await t.signUp())).key;
    const options = async () => (await client.post("/api/account/confirm/passkey")).json();
    expect((await client.post("/api/account/confirm", { passkey: other.get(await options()) })).statusCode).toBe(403);
    expect((await client.post("/api/account/confirm", { passkey: key.get(await options()) })).statusCode).toBe(200);
  });
});

test.each([
  ["https://twins.example.ru", "twins.example.ru"],
  ["http://localhost:3000", "localhost"],
  ["http://twins.example.ru", null],
  ["https://192.168.0.5", null],
  ["https://[::1]:3000", null],
])("keys of %s are bound to %s", (publicUrl, host) => {
  expect(passkeyHost({ publicUrl })).toBe(host);
});
