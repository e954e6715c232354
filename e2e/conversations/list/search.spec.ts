// Words in conversations: found in messages, opened where they stand, and back to what was found; by keyboard, after a reload, on a phone.
import { expectAccessible } from "../../support/accessibility.ts";
import { expect, test } from "../../support/fixtures.ts";
import { log, rows, withTwin } from "../parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("«/» leads to the search, the arrows to a message that was found, Enter to its place in the talk and Esc back", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  const { ask } = await withTwin(page);
  const { conversationId } = await ask("Сколько стоит большая ёлка с игрушками?");
  for (let n = 1; n <= 6; n++) await ask(`Вопрос номер ${n}, и ещё один вопрос вдогонку, чтобы переписка была длинной`);
  await ask("Привет!");
  await page.goto("/conversations");
  await expect(rows(page)).not.toHaveCount(0);
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Поиск диалогов" });
  await expect(field).toBeFocused();
  await page.keyboard.type("ИГРУШ елк");
  const found = page.getByRole("region", { name: "Найденные сообщения" });
  const hit = found.getByRole("listitem").filter({ hasText: "Вы: Сколько стоит большая ёлка с игрушками?" });
  await expect(hit).toHaveCount(1);
  await expect(hit.locator("mark")).toHaveText(["ёлк", "игруш"]);
  await expectAccessible(page, "found messages");
  const button = hit.getByRole("button");
  await expect(async () => {
    await page.keyboard.press("ArrowDown");
    await expect(button).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`dialog=${conversationId}&message=\\d+`));
  const message = log(page).locator("[aria-current]");
  for (const again of [false, true]) {
    if (again) await page.reload();
    await expect(message).toContainText("большая ёлка с игрушками");
    await expect(message).toBeInViewport({ ratio: 0.9 });
    await expect(button).toHaveAttribute("aria-current", "true");
  }
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/message=/);
  await expect(button).toBeFocused();
  await expect(field).toHaveValue("ИГРУШ елк");

  await field.fill("небывальщина");
  await expect(page.getByRole("main")).toContainText("Ничего не найдено");
  await expect(found).toHaveCount(0);
});

test("a conversation that its message finds stands among the messages alone, one that a name finds among the conversations", async ({
  page,
}) => {
  const { ask } = await withTwin(page);
  await ask("Доедет ли посылка до Сахалина?");
  await page.goto("/conversations?q=посылка");
  const found = page.getByRole("region", { name: "Найденные сообщения" });
  await expect(found.getByRole("listitem")).toHaveCount(1);
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByRole("main")).not.toContainText("Ничего не найдено");
  // What the messages have found is exported too.
  await expect(page.getByRole("button", { name: "Экспорт" })).toBeEnabled();
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("Анна Чайникова");
  await expect(rows(page)).toHaveCount(1);
  await expect(found).toContainText("В сообщениях этого нет.");
});
