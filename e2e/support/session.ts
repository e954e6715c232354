import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { currentServer, expect } from "./fixtures.ts";
import { tokenTo } from "./letters.ts";

type SessionUser = { organizationId: string; superAdmin: boolean };
interface Session {
  token: string;
  user: object;
}

let sessions = 0;

/** Signs the page's context in before its first load, with a session that is there already; the last of several holds. */
export async function enter(page: Page, { token, user }: Session) {
  await page.addInitScript(
    ([token, user, place]) => {
      // Once a tab: a later load must find what the page itself has left there.
      if (Number(sessionStorage.getItem("signed-in")) >= place) return;
      sessionStorage.setItem("signed-in", String(place));
      localStorage.setItem("auth_token", token);
      localStorage.setItem("user_data", user);
    },
    [token, JSON.stringify(user), ++sessions] as const,
  );
}

/** Signs the page's context in before its first load; returns the bearer token. */
async function signIn(page: Page, path: string, data: Record<string, unknown>): Promise<string> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  const session = await answer.json();
  await enter(page, session);
  return session.token;
}

/** The user of the demo workspace, with its three twins. Shared by all tests: they only look. */
export const asDemoUser = (page: Page) =>
  signIn(page, "/api/auth/telegram", {
    id: 123456789,
    first_name: "Test",
    last_name: "User",
    username: "testuser",
    photo_url: "",
  });

/** Somebody new with a confirmed address, an organisation of his own and nothing in it. */
export async function asNewUser(page: Page, server = currentServer()): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const person = { email, password: "copper and patina", firstName: "Вера" };
  const session = await newAccount(page.request, person, server);
  await enter(page, session);
  return session.token;
}

/** Registers and confirms. */
export async function newAccount(
  request: APIRequestContext,
  data: { email: string; password: string; firstName?: string },
  server = currentServer(),
) {
  const answer = await request.post("/api/auth/email/register", { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { token } = (await answer.json()) as Session;
  const headers = { authorization: `Bearer ${token}` };
  const confirmed = await request.post("/api/auth/email/confirm", {
    data: { token: await tokenTo(server, data.email) },
    headers,
  });
  expect(confirmed.ok(), await confirmed.text()).toBe(true);
  return { token, ...((await (await request.get("/api/auth/verify", { headers })).json()) as { user: SessionUser }) };
}
