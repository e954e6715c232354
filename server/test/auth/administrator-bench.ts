/** An installation without an administrator. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect } from "vitest";
import type { SignedInUser, SignInResult } from "#contract/organizations/auth.ts";
import { type Mailbox, openMailbox } from "#server/test/sign-in/mailbox.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export const PASSWORD = "copper and patina";
export const FAKE_LOGIN = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };

export let t: TestApp;
export let mailbox: Mailbox;
export const withApp = (settings: Parameters<typeof testApp>[0]) => {
  // Each with an installation without an administrator.
  beforeEach(async () => {
    t = await testApp(settings);
    mailbox = openMailbox(t.services);
  });
  afterEach(() => t.close());
};

export const call = (method: "GET" | "POST", url: string, token: string | null, payload?: object) =>
  t.app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
export const state = async () => (await call("GET", "/api/installation/administrator", null)).json().administrator;
export const whoIs = async (token: string): Promise<SignedInUser> =>
  (await call("GET", "/api/auth/verify", token)).json().user;
export const claim = async (token: string, code: string) => {
  const answer = await call("POST", "/api/installation/administrator", token, { code });
  return [answer.statusCode, answer.json().code ?? null];
};

export async function registered(email = `${randomUUID()}@example.test`) {
  const answer = await call("POST", "/api/auth/email/register", null, { email, password: PASSWORD });
  return { email, token: answer.json<SignInResult>().token };
}

export async function confirmed(email?: string) {
  const made = await registered(email);
  const answer = await call("POST", "/api/auth/email/confirm", made.token, {
    token: await mailbox.tokenTo(made.email),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return made;
}

export function setT(value: TestApp): void {
  t = value;
}
