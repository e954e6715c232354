// The map of agents, their dialogs and the demo chat, by pointer and keyboard; prices on request.
// What agents.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { DESKTOP } from "../support/viewports.ts";
import { dialogOf, mapOf, onMap, openLanding, pricesButton, pricesOf } from "./parts.ts";

test("the demo answers what it was given, says when it does not know, and invites", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await openLanding(page);
  const { focus, press, follow, type } = keyboardOf(page);
  await follow(onMap(page, "Агент продаж"));
  const dialog = dialogOf(page, "Агент продаж");
  await expect(dialog).toBeVisible();
  await follow(dialog.getByRole("button", { name: "Посмотреть демо" }));
  const input = dialog.getByLabel("Сообщение", { exact: true });
  await expect(input).toBeFocused();
  await expect(dialog.getByText("Пример", { exact: true })).toBeVisible();
  await expect(dialog.getByText("Ответы написаны заранее")).toBeVisible();

  const messages = dialog.getByRole("log").getByRole("listitem");
  await expect(messages).toHaveCount(1);
  await focus(dialog.getByRole("button", { name: "Есть рассрочка?" }), "Shift+Tab");
  await press("Enter");
  await expect(dialog.getByText("Агент продаж печатает")).toBeVisible();
  await expect(messages.last()).toHaveText(/^Агент продаж: Да, на\s6 и\s12\sмесяцев без переплаты/);
  await expect(input).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Есть рассрочка?" })).toHaveCount(0);
  // Word by word: the whole answer comes after its beginning.
  await expect(messages.last()).toHaveText(/за\s15\sминут\.$/);
  await expect(dialog.getByRole("link", { name: "Создать своего двойника" })).toHaveCount(0);

  await type(input, "Кто выиграл матч?");
  await press("Enter");
  await expect(input).toHaveValue("");
  await expect(messages.last()).toContainText("Этого в\u00a0моих материалах нет");
  await expect(dialog.getByRole("link", { name: "Создать своего двойника" })).toHaveAttribute(
    "href",
    "/register?return=%2Fcreate-twin",
  );
  await page.keyboard.type("   ");
  await expect(dialog.getByRole("button", { name: "Отправить" })).toBeDisabled();

  await focus(dialog.getByRole("button", { name: "Об агенте" }), "Shift+Tab");
  await press("Enter");
  await expect(dialog.getByRole("button", { name: "Посмотреть демо" })).toBeFocused();
  await press("Escape");
  await expect(onMap(page, "Агент продаж")).toBeFocused();
});

test("prices show once they are asked for, and their buttons lead on", async ({ page }) => {
  // Another test may have changed a plan of this server: until the server has named its prices, a new installation's are shown.
  await page.route("**/api/public-plans", (route) => route.fulfill({ json: [] }));
  await openLanding(page);
  await expect(pricesOf(page)).toHaveCount(0);
  await expect(page.getByText("₽4,999")).toHaveCount(0);
  await page.getByRole("button", { name: "Тарифы", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Тарифы" })).toBeFocused();
  await page.goto("/landing");
  await expect(pricesButton(page)).toHaveAttribute("aria-expanded", "false");
  await pricesButton(page).click();
  await expect(pricesButton(page)).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("heading", { name: "Тарифы" })).toBeFocused();
  const plans = pricesOf(page).locator("ul > li:has(h3)");
  await expect(plans).toHaveCount(3);
  await page.reload();
  await expect(pricesOf(page)).toBeVisible();
  await pricesOf(page).getByRole("link", { name: "Начать бесплатно" }).first().click();
  await expect(page).toHaveURL("/register");
});

test("with less motion nothing travels on the map and an answer comes at once", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openLanding(page);
  await onMap(page, "Аналитик").hover();
  await expect(mapOf(page).locator("g.opacity-25")).toHaveCount(6);
  await expect(mapOf(page).locator("[class*=animate-link]").first()).toBeHidden();
  await onMap(page, "Аналитик").click();
  await page.getByRole("button", { name: "Посмотреть демо" }).click();
  const log = page.getByRole("dialog").getByRole("log");
  await page.getByRole("button", { name: "О чём спрашивают чаще всего?" }).click();
  // No word comes before the others: what is there besides the dots is the whole answer.
  await expect(log).toContainText("1\u00a0240\u00a0диалогов");
  expect(await log.textContent()).toContain("Остальное: 15%.");
});
