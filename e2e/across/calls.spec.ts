// Section 7: what every request carries, and that the contract has every call of the table; section 8: an error's text.
import { readdir } from "node:fs/promises";
import { uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { json, nameOf, plain } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { enter } from "../support/session.ts";
import { button, specify, text } from "../support/specify.ts";

// Section 7: what every request carries, and that the contract has every call of the table; section 8: an error's text.

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

/** The table of section 7, in its order. */
const CALLS = `
GET /api/auth/verify
POST /api/auth/telegram
POST /api/auth/email/login
GET /api/dashboard/stats
GET /api/digital-twins
GET /api/activity/recent
POST /api/ai-generate
GET /api/conversations
GET /api/analytics
GET /api/admin/platform/stats
GET /api/admin/subscription-plans
GET /api/subscription-plans
GET /api/organizations/:orgId/stats
GET /api/organizations/:orgId/users
GET /api/organizations/:orgId/digital-twins
GET /api/organizations/:orgId/subscription
GET /api/organizations/:orgId/usage
GET /api/organizations/:orgId/payments
POST /api/organizations/:orgId/users
GET /api/knowledge-base/stats
GET /api/knowledge-base/sources
GET /api/knowledge-base/messages
GET /api/integrations
GET /api/crm/integrations
POST /api/integrations/:id/reimport
POST /api/integrations/telegram/send-code
POST /api/integrations/telegram/verify-code
POST /api/integrations/telegram/:id/import-data
POST /api/digital-twins
GET /api/digital-twins/:id
PUT /api/digital-twins/:id
DELETE /api/digital-twins/:id
POST /api/integrations/create
GET /api/knowledge/documents
POST /api/knowledge/upload
POST /api/conversations/upload`;

test("7. The contract has every call of the table", async () => {
  const folder = new URL("../../contract/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  const declared = modules
    .flatMap((module) => Object.values(module))
    .flatMap((api) => (typeof api === "object" && api !== null ? Object.values(api) : []))
    .filter((one) => typeof one?.method === "string" && typeof one.path === "string")
    .map(({ method, path }) => `${method} ${path}`);
  for (const call of CALLS.trim().split("\n")) expect.soft(declared).toContain(call);
});

test("7. Every request: cookies, the bearer, a JSON content type with a body only", async ({
  page,
  context,
  server,
}) => {
  await context.addCookies([{ name: "of_a_test", value: "1", url: server.url, httpOnly: true }]);
  await enter(page, { token: "token-of-a-test", user });
  const one = buildTwin(1);
  const answers: Record<string, unknown> = {
    "GET /api/auth/verify": { user },
    [`GET /api/digital-twins/${uuid(1)}`]: one,
    [`PUT /api/digital-twins/${uuid(1)}`]: one,
  };
  const heard: Record<string, Record<string, string>> = {};
  await page.route("**/api/**", async (route, request) => {
    const name = nameOf(request);
    heard[name] = await request.allHeaders();
    await route.fulfill(request.method() === "DELETE" ? { status: 204 } : { json: answers[name] ?? [] });
  });
  await page.goto(`/twin-settings/${uuid(1)}`);
  await page.getByRole("switch").click();
  await expect.poll(() => heard[`PUT /api/digital-twins/${uuid(1)}`]).toBeDefined();
  page.once("dialog", (dialog) => dialog.accept());
  await page.goto(`/edit-twin/${uuid(1)}`);
  await page.getByRole("button", { name: "Удалить двойника" }).click();
  await expect.poll(() => heard[`DELETE /api/digital-twins/${uuid(1)}`]).toBeDefined();
  for (const [name, headers] of Object.entries(heard)) {
    expect.soft(headers.authorization, name).toBe("Bearer token-of-a-test");
    expect.soft(headers.cookie, name).toContain("of_a_test=1");
    expect.soft(headers["content-type"], name).toBe(name.startsWith("PUT") ? "application/json" : undefined);
  }
});

specify("8. An answer that is not ok: its status, a colon, a space, its body or else its status text", {
  at: "/twins",
  answers: { "GET /api/digital-twins": plain(418, "чайник") },
  shows: [text("418: чайник"), button("Повторить")],
  states: [
    {
      name: "without a body",
      answers: { "GET /api/digital-twins": plain(500, "") },
      shows: [text("500: Internal Server Error")],
    },
    {
      name: "the server's own sentence stands alone",
      answers: {
        "GET /api/digital-twins": json({ message: "База данных недоступна", code: "down", requestId: "r" }, 503),
      },
      shows: [text("База данных недоступна")],
      hides: [text(/503/)],
    },
  ],
});

test("7. Without a token no bearer is sent", async ({ page }) => {
  const request = page.waitForRequest("**/api/config");
  await page.goto("/login");
  expect((await request).headers().authorization).toBeUndefined();
});
