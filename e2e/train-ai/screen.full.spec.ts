// The screen of /train-ai against answers of the test's own: the training that is followed, who may only look, space, and its looks.
import { buildDocument } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([buildDocument(1, { name: "Оченьдлинноеназваниебезпробелов".repeat(5) })]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Обработан", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessibleCrosswise(page, "/train-ai");
});
