// The letter to the team, and the landing page as it comes from the server: before and without scripts, in another language.
// What page.spec.ts leaves to test:full.
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { dialogOf, onMap, openLanding, pricesButton } from "./parts.ts";

test.describe("accessibility", () => {
  test("axe finds nothing in any state, and nothing scrolls sideways at 320 px", async ({ page }) => {
    test.slow();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openLanding(page);
    await pricesButton(page).click();
    await expectAccessibleCrosswise(page, "landing with prices");
    await expectFitsNarrowPhone(page, "landing with prices");

    await page.setViewportSize(DESKTOP);
    await onMap(page, "Enterprise-агент").click();
    const dialog = dialogOf(page, "Enterprise-агент");
    await expect(dialog).toBeVisible();
    await expectAccessibleCrosswise(page, "agent");
    await expectFitsNarrowPhone(page, "agent");

    await page.setViewportSize(DESKTOP);
    await dialog.getByRole("button", { name: "Посмотреть демо" }).click();
    await dialog.getByRole("button", { name: "Кто видит мои вопросы?" }).click();
    await expect(dialog.getByRole("log")).toContainText("записано в\u00a0журнале");
    await dialog.getByLabel("Сообщение", { exact: true }).fill("Кто выиграл матч?");
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("link", { name: "Создать своего двойника" })).toBeVisible();
    await expectAccessibleCrosswise(page, "demo");
    await expectFitsNarrowPhone(page, "demo");
  });
});
