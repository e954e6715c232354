// /twin-gaps/{id}: what the twin could not answer, answered once for everybody who asked, and how ready the twin is.
import { buildWaiting } from "../factories/dashboard.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { asAskedOwner, SNOWMOBILE } from "./gaps-parts.ts";

const ANSWER = "Снегоход можно водить с 16 лет.";

test("a question of several people is answered once for them, reaches those who wait and nobody else, and can be taken back", async ({
  page,
}) => {
  const { id, ask, open, post } = await asAskedOwner(page, "draft");
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("main").getByRole("link", { name: "Пробелы" }).click();
  await expect(page.getByText("Вопросов без ответа нет")).toBeVisible();
  await expect(page.getByText("Пока мало вопросов")).toBeVisible();
  await expectAccessible(page, "no gaps");

  await ask("Где купить шлем для снегохода?");
  await ask("Подскажите, пожалуйста, во сколько лет можно водить снегоход");
  await ask(SNOWMOBILE);
  await expect.poll(open, { timeout: 20_000 }).toBe(2);
  await page.reload();
  const list = page.getByRole("tabpanel", { name: /Без ответа/ });
  const first = list.getByRole("button", { name: /снегоход.*Спросили/ });
  await expect(first).toHaveAttribute("aria-expanded", "true");
  await expect(first).toContainText("Спросили 2 человека");
  const asked = list.getByRole("list", { name: "Кто спрашивал" }).getByRole("listitem");
  await expect(asked).toHaveCount(2);
  // In the asker's own words, with the way to where it was said.
  await expect(asked.filter({ hasText: SNOWMOBILE }).getByRole("link")).toHaveAttribute(
    "href",
    /dialog=.*&message=\d+$/,
  );
  await expect(list.getByText("Двойник не нашёл на них ответа.")).toBeVisible();
  await expectAccessibleCrosswise(page, "gaps");
  await expectNoSidewaysScroll(page);

  const reply = list.getByRole("textbox", { name: "Двойник ответит" });
  await reply.fill(ANSWER);
  // Words that are the heading's are not said again below it, and what was typed stays while another is looked at.
  await list.getByRole("button", { name: /шлем/ }).click();
  const helmet = list.getByRole("region", { name: "Где купить шлем для снегохода?" });
  await expect(helmet.getByRole("list", { name: "Кто спрашивал" })).not.toContainText("Где купить");
  await first.click();
  await expect(reply).toHaveValue(ANSWER);
  await expectAccessible(page, "an answer to a gap");
  // Everybody is named by a button of its own, which says who that is; the main act tells those who asked.
  const everybody = list.getByRole("region", { name: /снегоход/ }).getByRole("button", { name: "Ответить всем" });
  await expect(everybody).toHaveAccessibleDescription(
    "Ответить всем: ответ увидят все, кто спросит похожее. Об этом уже спрашивали: 2 человека.",
  );
  await reply.focus();
  await page.keyboard.press("Control+Enter");
  const said = page.getByRole("status").filter({ hasText: `Двойник запомнил для тех, кто спросил: «${ANSWER}»` });
  await expect(said).toBeVisible();
  await expect.poll(open).toBe(1);
  // What was pressed has gone: the keyboard goes on from the next question, and what came of the answer stands below.
  await expect(list.getByRole("button", { name: /шлем/ })).toBeFocused();
  const lately = list.getByRole("region", { name: "Недавно отвечены" });
  await expect(lately).toContainText(/Теперь двойник отвечает на все 2\. 2\sждут вашего одобрения/, {
    timeout: 20_000,
  });

  await page.getByRole("tab", { name: /Отвеченные/ }).click();
  await expect(page).toHaveURL(/tab=answered/);
  const answered = page.getByRole("tabpanel", { name: /Отвеченные/ }).getByRole("listitem");
  await expect(answered).toContainText("2 ждут вашего одобрения", { timeout: 20_000 });
  await expect(answered).toContainText("Теперь двойник отвечает на все 2");
  await expect(answered).toContainText("Только тем, кто спросил");
  await expectAccessibleCrosswise(page, "answered gaps");
  const untold = await post("/api/ai-generate", { twinId: id, message: SNOWMOBILE });
  expect(untold.response).not.toContain("16");
  await answered.getByRole("link", { name: "Открыть черновики" }).click();
  await expect(page.getByText("Вы ответили на этот вопрос в «Пробелах»").first()).toBeVisible();

  await page.goto(`/twin-gaps/${id}?tab=answered`);
  await answered.getByRole("button", { name: /Вернуть/ }).click();
  await expect(page.getByText("Отвеченных вопросов пока нет")).toBeVisible();
  await expect.poll(open).toBe(2);
});

test("gaps that cannot be loaded say so, and are asked for again", async ({ page }) => {
  const { id } = await asOwner(page);
  let fails = true;
  const none = { open: 0, answered: 0, ignored: 0 };
  await page.route("**/gaps?*", (route) =>
    fails
      ? route.fulfill({ status: 422, json: { message: "Слишком много дел", code: "x", requestId: "1" } })
      : route.fulfill({
          json: {
            readiness: { questions: 40, atFirst: 20, now: 30 },
            counts: none,
            gaps: [],
            working: false,
          },
        }),
  );
  await page.goto(`/twin-gaps/${id}`);
  await expect(page.getByText("Не удалось загрузить пробелы")).toBeVisible({ timeout: 15_000 });
  fails = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByRole("progressbar", { name: "Готовность двойника" })).toHaveAttribute("aria-valuenow", "75");
  await expect(page.getByText("на 20 ответил сразу, на 10 — после обучения")).toBeVisible();
  await expectAccessibleCrosswise(page, "readiness");
});

test("what the owner has said in a talk is taken into the field, which gives back what he had typed", async ({
  page,
}) => {
  const { id } = await asOwner(page);
  const said = "Со шлемом поможем на месте.";
  const gap = {
    ...{
      id: uuid(9),
      state: "open",
      question: SNOWMOBILE,
      people: 1,
      times: 1,
      lastAskedAt: NOW,
      questions: [],
      near: [],
      nearest: { documentId: uuid(11), name: "Правила проката", text: "Шлем входит в 190 ₽." },
    },
    ...{ answer: null, answeredBy: null, ignoredAs: null },
    proposal: { text: said, repliedAt: NOW, conversationId: uuid(10) },
  };
  const readiness = { questions: 40, atFirst: 20, now: 30 };
  const counts = { open: 1, answered: 0, ignored: 0 };
  await page.route("**/gaps?*", (route) => route.fulfill({ json: { readiness, counts, gaps: [gap], working: false } }));
  await page.goto(`/twin-gaps/${id}`);
  const reply = page.getByRole("textbox", { name: "Двойник ответит" });
  // Where the twin looked and found too little; the question is told once, and its wording is changed by who wants to.
  const nearest = page.getByText("Ближе всего в документах: «Правила проката»");
  await expect(page.getByText("Шлем входит в 190 ₽.")).toBeHidden();
  await nearest.click();
  await expect(page.getByText("Шлем входит в 190 ₽.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Когда спросят так" })).toHaveCount(0);
  await page.getByRole("button", { name: "Изменить формулировку вопроса" }).click();
  await expect(page.getByRole("textbox", { name: "Когда спросят так" })).toBeFocused();
  await reply.fill(ANSWER);
  await page.getByRole("button", { name: /Взять за/ }).click();
  await expect(reply).toHaveValue(said);
  await expect(reply).toBeFocused();
  await page.getByRole("button", { name: "Вернуть мой текст" }).click();
  await expect(reply).toHaveValue(ANSWER);

  // While one act is under way the other's button shows no progress, and nothing is sent twice.
  await page.route(`**/gaps/${gap.id}`, () => new Promise(() => undefined));
  await page.getByRole("button", { name: "Не отвечать" }).click();
  const answer = page.getByRole("button", { name: "Ответить собеседнику" });
  await expect(answer).toBeDisabled();
  await expect(answer).not.toHaveAttribute("aria-busy", "true");
});

test("the dashboard leads to the questions without an answer", async ({ page }) => {
  const gap = {
    twinId: uuid(7),
    twinName: "Анна",
    questions: 3,
    areMore: false,
    gapId: uuid(8),
    question: SNOWMOBILE,
    people: 2,
    since: NOW,
  };
  await answering(page, {
    "GET /api/dashboard/waiting": json(buildWaiting({ gaps: { total: 1, first: [gap] } })),
  });
  await page.goto("/dashboard");
  const row = page.getByRole("region", { name: "Ждёт вас" }).getByRole("listitem");
  await expect(row).toHaveText(/Пробелы.*снегоход.*3\sвопроса/);
  await expect(row.getByRole("link")).toHaveAttribute("href", `/twin-gaps/${uuid(7)}`);
});
