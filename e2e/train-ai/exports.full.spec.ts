// The export of a messenger on /train-ai against answers of the test's own: read, chosen from, agreed to, imported, cancelled.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";
import { IMPORT, preview } from "./exports-parts.ts";

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/imports": json([{ ...preview, chats: [], people: [], rejected: [] }]),
    [`GET /api/imports/${IMPORT}`]: json(preview),
  });
  for (const [search, part] of [
    ["", page.getByLabel("История переписки")],
    ["&from=file", page.getByRole("button", { name: "Начать импорт" })],
  ] as const) {
    await page.goto(`/train-ai?tab=dialogues${search}`);
    await expect(part).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessibleCrosswise(page, `/train-ai?tab=dialogues${search}`);
  }
});
