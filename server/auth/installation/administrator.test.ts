/** Who runs the installation, and that the demo account never does. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEMO_TOKEN, type SignedInUser, type SignInResult } from "#contract/organizations/auth.ts";
import { auditLog, users } from "#server/db/schema.ts";
import { ENDPOINT_CASES } from "#server/test/endpoints/endpoint-cases.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { ensureDemoUser } from "../demo/demo-user.ts";
import { installationCode } from "./administrator.ts";

const PASSWORD = "copper and patina";
const FAKE_LOGIN = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };

let t: TestApp;
let mailbox: Mailbox;
const withApp = (settings: Parameters<typeof testApp>[0]) => {
  // Each with an installation that nobody runs yet.
  beforeEach(async () => {
    t = await testApp(settings);
    mailbox = openMailbox(t.services);
  });
  afterEach(() => t.close());
};

const call = (method: "GET" | "POST", url: string, token: string | null, payload?: object) =>
  t.app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
const state = async () => (await call("GET", "/api/installation/administrator", null)).json().administrator;
const whoIs = async (token: string): Promise<SignedInUser> =>
  (await call("GET", "/api/auth/verify", token)).json().user;
const claim = async (token: string, code: string) => {
  const answer = await call("POST", "/api/installation/administrator", token, { code });
  return [answer.statusCode, answer.json().code ?? null];
};

async function registered(email = `${randomUUID()}@example.test`) {
  const answer = await call("POST", "/api/auth/email/register", null, { email, password: PASSWORD });
  return { email, token: answer.json<SignInResult>().token };
}

async function confirmed(email?: string) {
  const made = await registered(email);
  const answer = await call("POST", "/api/auth/email/confirm", made.token, {
    token: await mailbox.tokenTo(made.email),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return made;
}

describe("on an installation of this machine", () => {
  withApp({ demo: true });

  test("the first account that is confirmed runs it, and no later one; the demo account is none", async () => {
    await call("POST", "/api/auth/telegram", null, FAKE_LOGIN);
    expect(await state()).toBe("first");
    const waiting = await registered();
    expect((await whoIs(waiting.token)).superAdmin).toBe(false);
    const first = await confirmed();
    expect(await whoIs(first.token)).toMatchObject({ superAdmin: true, isDemo: false });
    expect((await call("GET", "/api/admin/health", first.token)).statusCode).toBe(200);
    expect(await state()).toBe("there");
    const second = await confirmed();
    expect((await whoIs(second.token)).superAdmin).toBe(false);
    expect(await claim(second.token, installationCode(t.services.vault))).toEqual([409, "administrator_there"]);
    const claims = await t.services.db.select().from(auditLog).where(eq(auditLog.action, "installation-claimed"));
    expect(claims).toHaveLength(1);
  });

  test("of two accounts that are confirmed at once one runs it", async () => {
    const both = [await registered(), await registered()];
    const tokens = await Promise.all(both.map(({ email }) => mailbox.tokenTo(email)));
    await Promise.all(
      both.map(({ token }, at) => call("POST", "/api/auth/email/confirm", token, { token: tokens[at] })),
    );
    const made = await Promise.all(both.map(async ({ token }) => (await whoIs(token)).superAdmin));
    expect(made.toSorted()).toEqual([false, true]);
  });

  test("whoever proves the address by a reset has confirmed it as well", async () => {
    const { email } = await registered();
    mailbox.letters.length = 0;
    await call("POST", "/api/auth/email/forgot", null, { email });
    await call("POST", "/api/auth/email/reset", null, { token: await mailbox.tokenTo(email), password: PASSWORD });
    const entered = await call("POST", "/api/auth/email/login", null, { email, password: PASSWORD });
    expect(entered.json().user).toMatchObject({ superAdmin: true });
  });

  test("an account that was confirmed before enters the code; the demo account may not", async () => {
    const code = installationCode(t.services.vault);
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    const demo = (await call("POST", "/api/auth/telegram", null, FAKE_LOGIN)).json<SignInResult>();
    for (const token of [demo.token, DEMO_TOKEN]) expect(await claim(token, code)).toEqual([403, "demo_account"]);
    const known = await t.signUp();
    expect(await claim(known.token, "AAAA-AAAA-AAAA")).toEqual([403, "wrong_code"]);
    expect(await state()).toBe("first");
    expect(await claim(known.token, ` ${code.toLowerCase().replaceAll("-", " ")}`)).toEqual([200, null]);
    expect((await whoIs(known.token)).superAdmin).toBe(true);
  });
});

describe("on an installation that others reach", () => {
  withApp({ publicUrl: "https://twins.example.ru" });

  test("a confirmed account runs it by the printed code alone, and an account that is not confirmed not even so", async () => {
    expect(await state()).toBe("code");
    const code = installationCode(t.services.vault);
    const waiting = await registered();
    expect(await claim(waiting.token, code)).toEqual([403, "email_unconfirmed"]);
    const ann = await confirmed();
    expect((await whoIs(ann.token)).superAdmin).toBe(false);
    expect(await claim(ann.token, code)).toEqual([200, null]);
    expect((await whoIs(ann.token)).superAdmin).toBe(true);
    expect(await state()).toBe("there");
  });
});

describe("a server that listens for others under a name of this machine", () => {
  withApp({ host: "0.0.0.0", smtpUrl: "smtp://127.0.0.1:9" });

  test("asks for the code, because a letter proves nobody to be here", async () => {
    expect(await state()).toBe("code");
    expect((await whoIs((await confirmed()).token)).superAdmin).toBe(false);
  });
});

describe("on an installation whose settings name its administrator", () => {
  withApp({ superAdminEmail: "chief@example.test" });

  test("nobody else becomes it, neither first nor by the code", async () => {
    expect(await state()).toBe("named");
    const ann = await confirmed();
    expect((await whoIs(ann.token)).superAdmin).toBe(false);
    expect(await claim(ann.token, installationCode(t.services.vault))).toEqual([409, "administrator_named"]);
    expect((await whoIs((await confirmed("chief@example.test")).token)).superAdmin).toBe(true);
  });
});

describe("the demo account", () => {
  let demo: SignInResult;
  let knocks = 0;
  const inside = createServer((_request, response) => {
    knocks++;
    response.end("{}");
  });
  beforeAll(async () => {
    t = await testApp({ demo: true });
    demo = (await call("POST", "/api/auth/telegram", null, FAKE_LOGIN)).json();
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await t.close();
    inside.close();
  });

  test("is refused everything that runs the installation, and changes nothing of it", async () => {
    const guarded = t.app.endpoints.filter(({ access }) => access === "super_admin");
    expect(guarded.length).toBeGreaterThan(25);
    for (const { method, path } of guarded) {
      const { url, body } = ENDPOINT_CASES[`${method} ${path}`]!;
      const things = new Proxy({}, { get: () => randomUUID() }) as Things;
      for (const token of [demo.token, DEMO_TOKEN]) {
        const payload = body === undefined ? undefined : ((await body(things)) as object);
        const headers = { authorization: `Bearer ${token}` };
        const answer = await t.app.inject({ method, url: url(things), headers, ...(payload && { payload }) });
        expect([answer.statusCode, answer.json().code], `${method} ${path}`).toEqual([403, "forbidden"]);
      }
    }
    expect(demo.user).toMatchObject({ superAdmin: false, isDemo: true });
  });

  test("reaches nothing on this machine: neither by the check of a model or a reader nor by a proxy", async () => {
    const { port } = inside.address() as AddressInfo;
    const { organizationId } = await ensureDemoUser(t.services.db);
    const base = `/api/organizations/${organizationId}`;
    const model = { preset: "ollama", model: "m", currency: "RUB", enabled: true };
    const proxied = { settings: { proxy: `http://127.0.0.1:${port}` } };
    const bot = { platform: "telegram", apiKey: "600:token-of-a-bot-0123456789abcdefghij", ...proxied };
    const refused: unknown[] = [];
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "192.168.0.1"]) {
      const baseUrl = `http://${host}:${port}/v1`;
      refused.push(
        (await call("POST", `${base}/remote-model/check`, demo.token, { ...model, baseUrl })).json().problem,
      );
      const reader = { mode: "endpoint", preset: "openai", baseUrl, model: "m", dailyLimit: 1 };
      refused.push((await call("POST", `${base}/media-readers/speech/check`, demo.token, reader)).json().problem);
    }
    expect(new Set(refused)).toEqual(new Set(["private"]));
    const connected = await call("POST", "/api/integrations/check-connection", demo.token, bot);
    expect([connected.statusCode, connected.json().code]).toEqual([422, "private_address"]);
    expect(knocks).toBe(0);
  });

  test("has no right that stands in its row", async () => {
    await t.services.db.update(users).set({ superAdmin: true }).where(eq(users.telegramId, "123456789"));
    expect((await call("GET", "/api/admin/health", demo.token)).statusCode).toBe(403);
    expect((await whoIs(demo.token)).superAdmin).toBe(false);
    expect(await state()).toBe("first");
  });
});
