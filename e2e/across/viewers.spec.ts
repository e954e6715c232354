import { expect, test } from "../support/fixtures.ts";
import { asViewer } from "./viewers-parts.ts";

/** Every act that begins on a screen; each says why it cannot be gone through with. */
const ACTS: [path: string, ...acts: (string | RegExp)[]][] = [
  ["/dashboard", "Создать", "Создать двойника", "Начать диалог"],
  ["/twins", "Create Twin", "Обучить ИИ", "Добавить интеграцию"],
  ["/conversations", "Начать диалог"],
  ["/knowledge", "Добавить", "Переимпорт: Чат с Олегом"],
  ["/integrations", "Добавить интеграцию"],
  ["/crm", "+ Добавить интеграцию", "Configure", "Sync Now", "Подключить"],
  ["/org-admin", "Сменить план"],
  ["/org-admin?tab=users", "Invite User"],
  ["/admin?tab=organizations", "Add"],
];

test("on every screen a viewer reads what cannot be done, and nothing is sent", async ({ page }) => {
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
