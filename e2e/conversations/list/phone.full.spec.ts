// The inbox under a thumb: conversations before all else, and what waits in each.
// What phone.spec.ts leaves to test:full.
import { buildApproval, buildConversation } from "../../factories/conversation.ts";
import { buildTwin } from "../../factories/twin.ts";
import { answering, json, listOf } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";
import { rows } from "../parts.ts";

test.use({ hasTouch: true });

test("a row says whether a draft waits there or the owner's own words, and only where one does", async ({ page }) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([1, 2, 3].map((n) => buildConversation(n))),
    "GET /api/approvals": json([
      buildApproval(1),
      buildApproval(2, { text: "", basis: "unknown", confidence: null }),
      buildApproval(3, { state: "failed" }),
    ]),
  });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/conversations");
    const said = (place: number, words: string) => rows(page).nth(place).getByText(words).filter({ visible: true });
    await expect(said(0, "Черновик")).toHaveCount(1);
    await expect(said(1, "Нужен ваш ответ")).toHaveCount(1);
    await expect(said(1, "Черновик")).toHaveCount(0);
    for (const words of ["Черновик", "Нужен ваш ответ"]) await expect(said(2, words)).toHaveCount(0);
  }
});
