/** Further ways in which an installation gets its administrator. */
import { describe, expect, test } from "vitest";
import { DEMO_TOKEN, type SignInResult } from "#contract/organizations/auth.ts";
import {
  call,
  claim,
  confirmed,
  FAKE_LOGIN,
  mailbox,
  PASSWORD,
  registered,
  state,
  t,
  whoIs,
  withApp,
} from "#server/test/auth/administrator-bench.ts";
import { installationCode } from "./administrator.ts";

describe("on an installation of this machine", () => {
  withApp({ demo: true });

  test("of two accounts that are confirmed at once one runs it", async () => {
    const both = [await registered(), await registered()];
    const tokens = await Promise.all(both.map(({ email }) => mailbox.tokenTo(email)));
    await Promise.all(
      both.map(({ token }, at) => call("POST", "/api/auth/email/confirm", token, { token: tokens[at] })),
    );
    const made = await Promise.all(both.map(async ({ token }) => (await whoIs(token)).superAdmin));
    expect(made.toSorted()).toEqual([false, true]);
  });

  test("a user who proves the address by a password reset has confirmed it as well", async () => {
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

describe("a server that listens for others under a name of this machine", () => {
  withApp({ host: "0.0.0.0", smtpUrl: "smtp://127.0.0.1:9" });

  test("asks for the code, because a letter does not prove access to this machine", async () => {
    expect(await state()).toBe("code");
    expect((await whoIs((await confirmed()).token)).superAdmin).toBe(false);
  });
});
