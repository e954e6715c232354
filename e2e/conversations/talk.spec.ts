// How a talk reads: who speaks, when, and what can be done with what the twin has said.
import { buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { log } from "./parts.ts";

const answered = { role: "assistant", confidence: 0.9, basis: "knowledge" } as const;
const talk = [
  buildMessage(1, { content: "Добрый день", timestamp: "2025-11-20T07:00:00.000Z" }),
  buildMessage(2, { content: "Когда привезёте?", timestamp: "2025-11-20T07:01:00.000Z" }),
  buildMessage(3, { ...answered, content: "С девяти до девяти", timestamp: "2025-11-20T07:02:00.000Z" }),
  buildMessage(4, { role: "assistant", author: "owner", content: "Я позвоню", timestamp: "2025-11-20T07:03:00.000Z" }),
  buildMessage(5, { content: "Спасибо", timestamp: "2025-11-21T07:00:00.000Z" }),
  buildMessage(6, { ...answered, content: "Всегда рады", timestamp: "2025-11-21T07:01:00.000Z" }),
];

test.beforeEach(({ page }) =>
  answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/conversations/${uuid(401)}/messages`]: json(talk),
    [`GET /api/conversations/${uuid(401)}/answers`]: json([]),
  }),
);

test("the contact stands at the left and the own side at the right, a sender of several messages is named once, and days part the rest", async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP);
  await page.goto(`/conversations?dialog=${uuid(401)}`);
  const items = log(page).getByRole("listitem");
  await expect(items).toHaveCount(6);
  const middle = (await log(page).boundingBox())!;
  for (const [words, left] of [
    ["Когда привезёте?", true],
    ["С девяти до девяти", false],
    ["Я позвоню", false],
  ] as const) {
    const box = (await log(page).getByText(words).boundingBox())!;
    const from = box.x - middle.x;
    const to = middle.x + middle.width - box.x - box.width;
    expect(from < to, words).toBe(left);
  }
  await expect(log(page).getByText("Мария", { exact: true })).toHaveCount(2);
  await expect(log(page).getByText("Вы", { exact: true })).toHaveCount(1);
  await expect(log(page).getByText("Ответил ИИ")).toHaveCount(2);
  await expect(log(page).locator("time")).toHaveCount(5);
  for (const day of [/^20 ноября/, /^21 ноября/]) await expect(log(page).getByText(day)).toHaveCount(1);
  await expectAccessibleCrosswise(page, "a talk of three");
});

test.describe("under a thumb", () => {
  test.use({ hasTouch: true });

  test("an earlier answer keeps its acts behind one button, the last one shows them", async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto(`/conversations?dialog=${uuid(401)}`);
    const copy = log(page).getByRole("button", { name: "Копировать" });
    await expect(copy).toHaveCount(1);
    const more = log(page).getByRole("button", { name: "Что сделать с ответом" });
    await more.click();
    await expect(more).toHaveAttribute("aria-expanded", "true");
    await expect(copy).toHaveCount(2);
    await expectFitsNarrowPhone(page);
  });
});
