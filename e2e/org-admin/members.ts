import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { buildTwinInput } from "../factories/twin.ts";
import type { Server } from "../servers/server.ts";
import { tokenTo } from "../support/letters.ts";
import { callsOf } from "../support/owner.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { asAdministrator } from "../support/super-admin.ts";

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
export const members = (page: Page) => region(page, "Пользователи").getByRole("listitem");

/** A member who is invited by the administrator and has followed the link, signed in on a page of his own. */
export async function memberOf(page: Page, server: Server, role: string) {
  const { headers, organizationId } = await asAdministrator(page);
  const email = `${randomUUID()}@example.com`;
  const data = { email, firstName: "Иван", lastName: "Смирнов", role };
  await page.request.post(`/api/organizations/${organizationId}/users`, { data, headers });
  const token = await tokenTo(server, email);
  const accepted = await page.request.post("/api/auth/invitation/accept", { data: { token, password: PASSWORD } });
  return { email, headers, organizationId, token, session: await accepted.json() };
}

/** A member with a twin, a key and a webhook; the administrator's page stands on the list of members. */
export async function withResources(page: Page, server: Server) {
  const { session, headers } = await memberOf(page, server, "user");
  const { post } = callsOf(page, { authorization: `Bearer ${session.token}` });
  const { id } = await post("/api/digital-twins", buildTwinInput({ name: "Двойник Ивана" }));
  await post(`/api/digital-twins/${id}/keys`, {
    name: "Сайт магазина",
    scopes: ["ask"],
    dailyMessages: 10,
    dailyTokens: 10_000,
  });
  await post(`/api/digital-twins/${id}/webhooks`, {
    url: "https://example.com/secret-path",
    events: ["reply.sent"],
    includeTexts: true,
    enabled: true,
  });
  await page.goto("/org-admin?tab=users");
  const remove = page.getByRole("button", { name: "Исключить: Иван Смирнов" });
  const dialog = page.getByRole("dialog", { name: "Исключить участника?" });
  const twins = () => callsOf(page, headers).get("/api/digital-twins");
  return { remove, dialog, twins, id };
}
