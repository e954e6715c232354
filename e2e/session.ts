import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

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

/** Somebody new, with an organisation of his own and nothing in it. */
export const asNewUser = (page: Page) =>
  signIn(page, "/api/auth/email/register", {
    email: `${randomUUID()}@example.com`,
    password: "copper and patina",
    firstName: "Вера",
  });
