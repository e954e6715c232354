// Section 2, a twin's test chat; sections 7 and 8 for it: whole, drawn as it comes, stopped and failed.
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answered, input, openChat, streamByHand } from "./test-chat-parts.ts";

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

test.use({ allowedConsoleErrors: [/status of 50\d/] });

test("an empty one offers questions that the owner has opened to all, and a press asks", async ({ page }) => {
  const asked: unknown[] = [];
  const reply = (n: number, question: string, state: "open" | "closed" = "open") => ({
    ...{ id: String(n), origin: "opened", question, reply: "Да, мелем.", people: 1, state },
  });
  await answering(page, {
    ...listOf(buildTwin(1)),
    [`GET /api/digital-twins/${uuid(1)}/open-replies`]: json({
      counts: { replies: 9, opened: 3, recurring: 0, closed: 1, private: 5, proposals: 0 },
      replies: [reply(1, "Вы мелете кофе?"), reply(2, "спасибо"), reply(3, "Есть ли скидка?", "closed")],
      proposals: [],
      found: [],
    }),
    "POST /api/ai-generate": (route, request) => {
      asked.push(request.postDataJSON());
      return answered(route, request);
    },
  });
  await page.goto("/twins");
  await openChat(page, "Двойник 1");
  const offered = page.getByRole("list", { name: "Что можно спросить" });
  await expect(offered.getByRole("button")).toHaveText(["Вы мелете кофе?"]);
  await expectAccessibleCrosswise(page, "an empty test chat with questions");
  await input(page).fill("А чай?");
  await offered.getByRole("button").click();
  await expect(page.getByRole("log").getByRole("listitem").first()).toContainText("Вы мелете кофе?");
  // What was being written is not lost to a press beside it.
  await expect(input(page)).toHaveValue("А чай?");
  await expect(offered).toHaveCount(0);
  expect(asked).toEqual([{ twinId: uuid(1), message: "Вы мелете кофе?" }]);
});

test("follows a growing answer only from its end", async ({ page }) => {
  const push = await streamByHand(page);
  await answering(page, listOf(buildTwin(1)));
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Расскажите подробно");
  await input(page).press("Enter");
  const log = page.getByRole("log");
  const fromEnd = () => log.evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
  const lines = (word: string) => push("delta", { text: `${word} и ещё\n\n`.repeat(20) });
  await lines("первое");
  // Rendered Markdown is shorter than what is shown until its code has come: the thread moves, which is not the reader's doing.
  await expect(log.getByRole("paragraph").filter({ hasText: "первое" }).last()).toBeVisible();
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  await log.evaluate((box) => box.scrollTo(0, 0));
  await lines("второе");
  await expect(log.getByText("второе").last()).toBeAttached();
  expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
  await page.getByRole("button", { name: "К последнему" }).click();
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
});
