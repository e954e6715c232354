// The inbox under a thumb: conversations before all else, and what waits in each.
import { buildApproval, buildConversation } from "../factories/conversation.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { rows } from "./parts.ts";

test.use({ hasTouch: true });

test("on a phone conversations begin near the top, in rows of three lines, each a button of its own", async ({
  page,
}) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([1, 2, 3].map((n) => buildConversation(n))),
    "GET /api/approvals": json([]),
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(3);
  const boxes = await rows(page).evaluateAll((all) =>
    all.map((row) => row.getBoundingClientRect()).map(({ top, height }) => ({ top, height })),
  );
  expect(boxes[0]!.top).toBeLessThanOrEqual(220);
  for (const { height } of boxes) expect(height).toBeLessThanOrEqual(72);
  const open = await rows(page)
    .first()
    .getByRole("button", { name: /^Открыть чат/ })
    .boundingBox();
  expect(open!.height).toBeGreaterThanOrEqual(44);
  // What the specification wants is in sight above them.
  for (const words of ["Всего диалогов", "Активные чаты", "Всего сообщений", "Время ответа"])
    await expect(page.getByText(words)).toBeInViewport({ ratio: 1 });
  for (const name of ["Фильтр", "Экспорт"]) {
    const box = await page.getByRole("button", { name }).boundingBox();
    expect(Math.min(box!.width, box!.height), name).toBeGreaterThanOrEqual(44);
  }
  await expectFitsNarrowPhone(page);
  await expectAccessibleCrosswise(page, "the inbox on a phone");
});

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
