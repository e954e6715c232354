// A member who may only look learns that before filling anything in: what changes something is not offered, or says why it cannot be done.
import type { Page } from "@playwright/test";
import { buildDashboardStats } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { buildUser } from "../factories/people.ts";
import { twins } from "../factories/twin.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

// A member who may only look learns that before filling anything in: what changes something is not offered, or says why it cannot be done.

const REASON = /ваша роль не\s+позволяет ничего менять/;
const source = buildSource(50, { name: "Чат с Олегом", digitalTwinId: uuid(1), kind: "integration" });

const asViewer = (page: Page) =>
  answering(page, {
    "GET /api/auth/verify": json({ user: buildUser({ role: "viewer" }) }),
    "GET /api/digital-twins": json(twins),
    "GET /api/integrations": json([buildIntegration(1)]),
    "GET /api/crm/integrations": json([buildIntegration(1)]),
    "GET /api/dashboard/stats": json(buildDashboardStats()),
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
    "GET /api/knowledge-base/sources": json([source]),
  });

/** Every act that begins on a screen; each says why it cannot be gone through with. */
const ACTS: [path: string, ...acts: (string | RegExp)[]][] = [
  ["/dashboard", "Создать", "Создать двойника", "Начать диалог"],
  ["/twins", "Create Twin", "Обучить ИИ", "Добавить интеграцию"],
  ["/conversations", "Начать диалог"],
  ["/knowledge", "Добавить материалы", "Переимпорт: Чат с Олегом"],
  ["/integrations", "Добавить интеграцию"],
  ["/crm", "+ Добавить интеграцию", "Configure", "Sync Now", "Подключить"],
  ["/org-admin", "Сменить план"],
  ["/org-admin?tab=users", "Invite User"],
  ["/admin?tab=organizations", "Add"],
];

test("on every screen a viewer is told what cannot be done, and nothing is sent", async ({ page }) => {
  test.slow();
  const calls = await asViewer(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [path, ...acts] of ACTS) {
    await page.goto(path);
    for (const name of acts) {
      const button = page
        .getByRole("main")
        .or(page.locator("header"))
        .getByRole("button", { name, exact: true })
        .first();
      await expect(button, `${name} on ${path}`).toHaveAttribute("aria-disabled", "true");
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Недоступно", { exact: true }).first()).toBeVisible();
    }
    expect(calls.filter(({ call }) => !call.startsWith("GET "))).toEqual([]);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  }
});

test("forms are not to be filled in by a viewer", async ({ page }) => {
  await asViewer(page);
  for (const [path, field, button] of [
    ["/create-twin", "Имя двойника", "Создать Агента"],
    ["/add-integration", "Цифровой двойник", "Создать интеграцию"],
    ["/integrations?connect=account", "API ID", "Отправить код"],
    ["/train-ai", "Название документа", "Загрузить документ"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(REASON).first(), path).toBeVisible();
    await expect(page.getByLabel(field).first(), path).toBeDisabled();
    await expect(page.getByRole("button", { name: button }), path).toBeDisabled();
  }
});

test("a viewer's test chat and integrations are only looked at, and no quick act is offered", async ({ page }) => {
  await asViewer(page);
  await page.goto(`/twins?chat=${uuid(1)}`);
  await expect(page.getByRole("region", { name: "Тест чат: Анна" }).getByText(REASON)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Сообщение" })).toBeHidden();
  await page.goto("/integrations");
  await expect(page.getByRole("heading", { name: "+79000000001" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Действия/ })).toBeHidden();
  await page.keyboard.press("Control+KeyK");
  await expect(page.getByRole("option", { name: "База знаний" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Создать двойника" })).toBeHidden();
});
