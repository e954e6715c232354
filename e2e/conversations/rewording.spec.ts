// A waiting draft is reworded in its conversation: the question, the field and the buttons stay in sight at once.
import type { Page } from "@playwright/test";
import { buildApproval, buildContact, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { PHONE } from "../support/viewports.ts";
import { log, thread } from "./parts.ts";

const talk = buildConversation(1, { participants: buildContact({ name: "Мария Соколова" }) });
const question = "Сколько стоит доставка двух килограммов чая в Екатеринбург и когда она придёт? ".repeat(2);

async function openDraft(page: Page, size: { width: number; height: number }) {
  await answering(page, {
    ...listOf(buildTwin(1, { name: "Анна" })),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json([buildMessage(1), buildMessage(2, { content: question })]),
    [`GET /api/conversations/${talk.id}/answers`]: json([
      buildApproval(1, {
        conversationId: talk.id,
        question,
        text: "Доставка стоит 350 рублей, придёт через три дня.",
        reason: "Двойник не уверен в ответе",
        confidence: 0.42,
        sources: [{ documentId: uuid(5), name: "Доставка и оплата.md", text: "Доставка стоит 350 рублей." }],
      }),
    ]),
  });
  await page.setViewportSize(size);
  await page.goto(`/conversations?dialog=${talk.id}`);
  const draft = thread(page).getByRole("article", { name: "Черновик двойника" });
  await expect(draft).toBeVisible();
  const boxOf = async (name: "button" | "textbox" | "checkbox", of: string) =>
    (await draft.getByRole(name, { name: of }).boundingBox())!;
  return { draft, boxOf };
}

for (const size of [{ width: 1280, height: 800 }, PHONE]) {
  test(`however much is typed at ${size.width} px, the question stays above and the buttons below`, async ({
    page,
  }) => {
    const { draft, boxOf } = await openDraft(page, size);
    await draft.getByRole("button", { name: "Изменить" }).click();
    const field = draft.getByRole("textbox", { name: "Ваш ответ" });
    await expect(field).toBeFocused();
    // The choice is there from the beginning, so that nothing moves with the first letter.
    const tick = draft.getByRole("checkbox", { name: "Взять эту манеру для всех" });
    await expect(tick).toBeDisabled();
    await expect(tick).toHaveAccessibleDescription("Имена и телефоны будут скрыты");
    const before = await boxOf("button", "Отправить");
    await page.keyboard.type("Д");
    await expect(tick).toBeEnabled();
    expect((await boxOf("button", "Отправить")).y).toBeCloseTo(before.y, 0);

    await field.fill("Доставим за три дня, посылку можно забрать у метро. ".repeat(12));
    for (const name of ["Отправить", "Отмена", "Отклонить"])
      await expect(draft.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(tick).toBeInViewport({ ratio: 1 });
    const [written, sent] = [await boxOf("textbox", "Ваш ответ"), await boxOf("button", "Отправить")];
    expect(written.height).toBeLessThan(150);
    expect(written.y + written.height).toBeLessThan(sent.y);
    // Five lines of the question: its beginning, not its end.
    const said = log(page).getByText(question.trim());
    const top = (await said.boundingBox())!.y;
    expect(top).toBeGreaterThan((await log(page).boundingBox())!.y);
    expect((await draft.boundingBox())!.y - top).toBeGreaterThan(110);
    // A long reason would take the line that the choice needs.
    await expect(draft.getByText("Двойник не уверен в ответе")).toBeHidden();
    await expect(draft.getByRole("button", { name: "Доставка и оплата.md" })).toBeVisible();
    await expectAccessible(page, "a draft that is reworded");
  });
}

test("the focus goes back to «Изменить» after Esc and after «Отмена»", async ({ page }) => {
  const { draft } = await openDraft(page, { width: 1280, height: 800 });
  const change = draft.getByRole("button", { name: "Изменить" });
  for (const leave of ["Escape", "Отмена"]) {
    await change.click();
    await page.keyboard.type("Иначе. ");
    if (leave === "Escape") await page.keyboard.press("Escape");
    else await draft.getByRole("button", { name: leave }).click();
    await expect(change).toBeFocused();
    await expect(draft.getByText("Доставка стоит 350 рублей, придёт через три дня.")).toBeVisible();
  }
});

test("«О диалоге» has a title, and its word where the name beside it is not cut", async ({ page }) => {
  await openDraft(page, { width: 1240, height: 800 });
  const details = thread(page).getByRole("button", { name: "О диалоге" });
  await expect(details).toHaveAttribute("title", "О диалоге");
  const word = details.getByText("О диалоге");
  await expect(word).toBeVisible();
  const name = thread(page).getByRole("heading", { name: "Мария Соколова" });
  for (const width of [1240, 1100, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await name.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  }
  await expect(word).toBeHidden();
});
