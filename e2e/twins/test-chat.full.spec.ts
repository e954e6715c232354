// Section 2, a twin's test chat; sections 7 and 8 for it: whole, drawn as it comes, stopped and failed.
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answered, input } from "./test-chat-parts.ts";

test.use({ allowedConsoleErrors: [/status of 50\d/] });

test("a chat and a source in it have nothing that axe objects to", async ({ page }) => {
  await answering(page, {
    ...listOf(buildTwin(1), buildTwin(2, { status: "training" })),
    "POST /api/ai-generate": answered,
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Сколько идёт доставка?");
  await input(page).press("Enter");
  await expect(page.getByText("Из документа")).toBeVisible();
  await expectAccessibleCrosswise(page, "a chat");
  await page.getByRole("button", { name: "Доставка.pdf" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessibleCrosswise(page, "a source");
});
