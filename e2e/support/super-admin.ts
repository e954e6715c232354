import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { SUPER_ADMIN_EMAIL } from "../servers/server-pool.ts";
import { currentServer, expect } from "./fixtures.ts";
import { enter, newAccount } from "./session.ts";
import { PASSWORD } from "./sign-in-form.ts";

/**
 * The platform's administrator: made at the first call on a server, signed in at each. On a server that names nobody it must be the first
 * account that is confirmed. Returns the request headers.
 */
export async function asSuperAdmin(page: Page, server = currentServer()) {
  const credentials = { email: SUPER_ADMIN_EMAIL, password: PASSWORD };
  const login = await page.request.post("/api/auth/email/login", { data: credentials });
  const { token, user } = login.ok() ? await login.json() : await newAccount(page.request, credentials, server);
  expect(user.superAdmin).toBe(true);
  await enter(page, { token, user });
  return { headers: { authorization: `Bearer ${token}` }, organizationId: user.organizationId as string };
}

/** Somebody new, with an organisation of his own. */
export async function asAdministrator(page: Page, firstName = "Вера") {
  const email = `${randomUUID()}@example.com`;
  const data = { email, password: PASSWORD, firstName };
  const session = await newAccount(page.request, data);
  await enter(page, session);
  const headers = { authorization: `Bearer ${session.token}` };
  return { email, headers, organizationId: session.user.organizationId };
}
