// The forms of a twin for who may only look, and as they look with faults in them.
// What who-may-only-look.spec.ts leaves to test:full.
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, listOf, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

test("the forms have nothing that axe objects to, and the first wrong field has the focus", async ({ page }) => {
  const known = buildTwin(1);
  await answering(page, { ...listOf(known), ...oneTwin(known) });
  await page.goto("/create-twin");
  await page.getByRole("button", { name: "Создать Агента" }).click();
  await expect(page.getByText("Имя агента обязательно")).toBeVisible();
  await expect(page.getByLabel("Имя двойника", { exact: true })).toBeFocused();
  await expectAccessibleCrosswise(page, "a form with errors");
  await page.goto(`/twin-settings/${known.id}`);
  await expect(page.getByRole("switch")).toBeVisible();
  await expectAccessibleCrosswise(page, "the settings");
});
