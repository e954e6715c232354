import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import type { Server } from "./server.ts";
import { SUPER_ADMIN_EMAIL } from "./server-pool.ts";
import { enter } from "./session.ts";

export const PASSWORD = "copper and patina";

const readTokens = new WeakMap<Server, Set<string>>();

/**
 * The token in the newest letter to `address` that no call has read yet, from the server's log. The log arrives through a
 * pipe: without remembering what was read, a second letter's reader could take the first one's token.
 */
export async function tokenTo(server: Server, address: string): Promise<string> {
  const read = readTokens.get(server) ?? new Set<string>();
  readTokens.set(server, read);
  const unreadToken = () =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes(`"to":"${address}"`))
      .map((line) => /token=([\w-]+)/.exec(line)?.[1])
      .findLast((token) => token !== undefined && !read.has(token));
  await expect.poll(unreadToken).toBeTruthy();
  const token = unreadToken()!;
  read.add(token);
  return token;
}

/** The platform's administrator: made at the first call on a server, signed in at each. Returns the request headers. */
export async function asSuperAdmin(page: Page, server: Server) {
  const credentials = { email: SUPER_ADMIN_EMAIL, password: PASSWORD };
  const login = await page.request.post("/api/auth/email/login", { data: credentials });
  let session = await login.json();
  if (!login.ok()) {
    session = await (await page.request.post("/api/auth/email/register", { data: credentials })).json();
    await page.request.post("/api/auth/email/confirm", {
      data: { token: await tokenTo(server, SUPER_ADMIN_EMAIL) },
      headers: { authorization: `Bearer ${session.token}` },
    });
  }
  const headers = { authorization: `Bearer ${session.token}` };
  const { user } = await (await page.request.get("/api/auth/verify", { headers })).json();
  expect(user.superAdmin).toBe(true);
  await enter(page, { token: session.token, user });
  return { headers, organizationId: user.organizationId as string };
}

/** Somebody new, with an organisation of his own. */
export async function asAdministrator(page: Page, firstName = "Вера") {
  const email = `${randomUUID()}@example.com`;
  const data = { email, password: PASSWORD, firstName };
  const session = await (await page.request.post("/api/auth/email/register", { data })).json();
  await enter(page, session);
  const headers = { authorization: `Bearer ${session.token}` };
  return { email, headers, organizationId: session.user.organizationId as string };
}
