import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
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

test("the links of the twins' screen stay links for a viewer", async ({ page }) => {
  await asViewer(page);
  await page.goto("/twins");
  const main = page.getByRole("main");
  for (const [name, href] of [
    ["Обучить ИИ", "/train-ai"],
    ["Добавить интеграцию", "/add-integration"],
  ] as const) {
    const link = main.getByRole("link", { name, exact: true });
    await expect(link).toHaveAttribute("href", href);
    await link.press("Enter");
    await expect(page).toHaveURL("/twins");
  }
});

test("on every screen a viewer reads what cannot be done, and nothing is sent", async ({ page }) => {
  test.slow();
  const calls = await asViewer(page);
  await page.setViewportSize(DESKTOP);
  for (const [path, ...acts] of ACTS) {
    await page.goto(path);
    for (const name of acts) {
      const screen = page.getByRole("main").or(page.locator("header"));
      const act = screen
        .getByRole("button", { name, exact: true })
        .or(screen.getByRole("link", { name, exact: true }))
        .first();
      await expect(act, `${name} on ${path}`).toHaveAttribute("aria-disabled", "true");
      await act.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Недоступно", { exact: true }).first()).toBeVisible();
    }
    expect(calls.filter(({ call }) => !call.startsWith("GET "))).toEqual([]);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  }
});
