// /twin-replies/{id}: which of the owner's past replies are published, and how he publishes and closes them.
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { toast } from "../support/toast.ts";

// /twin-replies/{id}: which of the owner's past replies are published, and how he publishes and closes them.

test("the owner goes through proposals by keys, opens one in other words, takes it back, and closes what recurs", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: "Анна", knowledgeArea: "Доставка и возврат" });
  const { id, get } = owner;
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  const places = page.getByRole("navigation", { name: "Для специалистов" });
  await expect(places.getByRole("link")).toHaveText(["Ключи и MCP", "Вебхуки", "Расход", "Кому видны ответы"]);
  await expect(places.getByRole("link", { name: "Ключи и MCP" })).toHaveAttribute("aria-current", "page");
  await places.getByRole("link", { name: "Кому видны ответы" }).click();
  await expect(page).toHaveURL(`/twin-replies/${id}`);
  await expect(places.getByRole("link", { name: "Кому видны ответы" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("Пока ничего не открыто")).toBeVisible();
  await expect(page.getByText(/^Когда похожие вопросы повторятся/)).toBeVisible();

  const parking = ["Есть ли парковка, а то муж хромает?", "Парковка есть во дворе за воротами, привет"];
  await uploadTalk(owner, "Олег", 1, "Во сколько вы открываетесь?", "Мы открыты с десяти утра", ...parking);
  await uploadTalk(
    owner,
    "Мария",
    2,
    "Во сколько открываетесь?",
    "Мы открыты с десяти утра!",
    "Где парковка?",
    "Парковка есть во дворе за воротами",
  );
  await uploadTalk(owner, "Светлана", 3, "а во сколько открываетесь", "мы открыты с десяти утра)");
  const counts = async () => (await get(`/api/digital-twins/${id}/open-replies`)).counts;
  await expect.poll(counts).toMatchObject({ recurring: 1, proposals: 1 });

  // By the link: the focus is on the title then, and the keys mean the same.
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  await places.getByRole("link", { name: "Кому видны ответы" }).click();
  const proposals = page.getByRole("region", { name: "Что можно открыть" });
  const open = page.getByRole("region", { name: "Ваши ответы" });
  await expect(proposals.getByText("Похожее вы написали 2 людям")).toBeVisible();
  await expect(open.getByRole("listitem")).toContainText(["Получили 3 человека"]);
  await expectAccessibleCrosswise(page, "whom the owner's replies are visible to");
  await expectNoSidewaysScroll(page);

  await page.keyboard.press("n");
  await expect(proposals.getByText("Предлагать нечего")).toBeVisible();
  await page.keyboard.press("z");
  await expect(proposals.getByText("Похожее вы написали 2 людям")).toBeVisible();
  await page.keyboard.press("y");
  const question = page.getByRole("textbox", { name: "Когда спросят так" });
  await expect(question).toBeFocused();
  await question.fill("Есть ли парковка?");
  await page.getByRole("textbox", { name: "Двойник ответит всем" }).fill("Парковка есть во дворе");
  await expectAccessible(page, "a reply that is opened");
  await page.keyboard.press("Control+Enter");
  await expect(open.getByRole("listitem").first()).toContainText("Открыли вы");
  await page.keyboard.press("z");
  await expect(open.getByRole("listitem")).toHaveCount(1);

  const row = open.getByRole("listitem");
  await row.getByRole("button", { name: "Скрыть" }).click();
  // The toast of what was opened before may still be there.
  await toast(page).filter({ hasText: "Ответ скрыт" }).getByRole("button", { name: "Отменить" }).click();
  await expect(row).toContainText("Виден всем");

  // Of five replies, three recur and stand as one.
  await open.getByRole("button", { name: "Закрытые 2" }).click();
  await expect(open.getByRole("listitem")).toHaveCount(2);
  await expect(open.getByRole("heading", { name: "Видны только своему собеседнику" })).toBeVisible();
  await open.getByRole("button", { name: "Все 3" }).click();
  await expect(open.getByRole("listitem")).toHaveCount(3);
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("хромает");
  await expect(page.getByText("Видны только своему собеседнику")).toBeVisible();
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("слоны");
  await expect(page.getByText("Ничего не найдено")).toBeVisible();
});
