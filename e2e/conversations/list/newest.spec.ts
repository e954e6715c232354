// A long talk is opened at what was said last, however its messages grow while their code and their pictures are fetched.
import { buildConversation, buildMessage } from "../../factories/conversation.ts";
import { uuid } from "../../factories/ids.ts";
import { answering, json } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";
import { log, openButton } from "../parts.ts";

const letter = (n: number) =>
  Array.from({ length: 6 }, (_, part) => `**Абзац ${part}** письма ${n}: о доставке, оплате и упаковке подарков.`).join(
    "\n\n",
  );

test("a long talk opens at its newest message, from the list, by its address and after a reload", async ({ page }) => {
  const id = uuid(401);
  await answering(page, {
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/conversations/${id}/messages`]: json(
      Array.from({ length: 60 }, (_, n) =>
        buildMessage(n + 1, { role: n % 2 ? "assistant" : "user", content: letter(n + 1) }),
      ),
    ),
  });
  const newest = log(page).getByRole("listitem").filter({ hasText: "письма 60:" }).getByText("Абзац 5");
  await page.goto("/conversations");
  await openButton(page, 0).click();
  await expect(newest).toBeInViewport();
  await page.reload();
  await expect(newest).toBeInViewport();
  // A picture that has come makes its message higher.
  await log(page)
    .getByRole("listitem")
    .last()
    .evaluate((item) => {
      item.style.paddingTop = "30rem";
    });
  await expect(newest).toBeInViewport();
  // One that becomes shorter moves the thread, and grows again before the page hears of it.
  await log(page)
    .getByRole("listitem")
    .last()
    .evaluate(
      (item) =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            item.style.paddingTop = "0";
            setTimeout(() => {
              item.style.paddingTop = "60rem";
              requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
            });
          });
        }),
    );
  await expect(newest).toBeInViewport({ timeout: 5_000 });
});
