/** Who becomes the installation's administrator, and that the demo account never does. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN, type SignInResult } from "#contract/organizations/auth.ts";
import { auditLog, users } from "#server/platform/db/schema/accounts.ts";
import {
  call,
  claim,
  confirmed,
  FAKE_LOGIN,
  registered,
  setT,
  state,
  t,
  whoIs,
  withApp,
} from "#server/test/auth/administrator-bench.ts";
import { ENDPOINT_CASES } from "#server/test/endpoints/endpoint-cases.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { testApp } from "#server/test/test-app.ts";
import { installationCode } from "./administrator.ts";
import { ensureDemoUser } from "./demo-user.ts";

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
    setT(await testApp({ demo: true }));
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
