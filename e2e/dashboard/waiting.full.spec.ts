// The dashboard opens with what the person has to do now, and each line leads there.
// What waiting.spec.ts leaves to test:full.
import type { Locator } from "@playwright/test";
import { buildWaiting } from "../factories/dashboard.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, fails, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { figures, waiting } from "./waiting-parts.ts";

test("to somebody without a twin the way to the first one stands in the place of what waits", async ({ page }) => {
  await answering(page, { ...figures, "GET /api/digital-twins": json([]) });
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ваш первый двойник" });
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Ждёт вас" })).toHaveCount(0);
  await expectAccessibleCrosswise(page, "the dashboard of somebody new");
  // It is the one filled act: what the bar offers to everybody is quiet here.
  const first = panel.getByRole("link", { name: "Создать по шагам из переписки" });
  const fill = (link: Locator) => link.evaluate((node) => getComputedStyle(node).backgroundColor);
  const filled = await fill(first);
  for (const other of ["Создать", "Создать двойника", "Создать первого двойника"]) {
    expect(await fill(page.getByRole("link", { name: other, exact: true }))).not.toBe(filled);
  }
  await first.click();
  await expect(page).toHaveURL("/onboarding");
});

test.describe("when the call fails", () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource/] });

  test("a draft that a colleague has decided on says so and stays readable", async ({ page }) => {
    await answering(page, {
      ...figures,
      "GET /api/dashboard/waiting": json(waiting),
      [`POST /api/approvals/${uuid(20)}/approve`]: fails(409, "Решение уже принято"),
    });
    await page.goto("/dashboard");
    const panel = page.getByRole("region", { name: "Ждёт вас" });
    await panel.getByRole("button", { name: /^Прочитать/ }).click();
    await panel.getByRole("button", { name: "Отправить" }).click();
    await expectToast(page, "Не удалось", "Решение уже принято");
    await expect(panel.getByText("Ответ 1")).toBeVisible();
  });
});

test("a gap is answered from its row for those who asked, and for everybody by a button of its own", async ({
  page,
}) => {
  const gap = {
    twinId: uuid(1),
    twinName: "Анна",
    questions: 1,
    areMore: false,
    gapId: uuid(50),
    question: "Есть ли гравировка?",
    people: 2,
  };
  const DECIDE = `PUT /api/digital-twins/${gap.twinId}/gaps/${gap.gapId}`;
  let isOpen = true;
  const calls = await answering(page, {
    ...figures,
    ...listOf(buildTwin(1)),
    "GET /api/dashboard/waiting": (route, request) =>
      json(buildWaiting(isOpen ? { gaps: { total: 1, first: [{ ...gap, since: NOW }] } } : {}))(route, request),
    [DECIDE]: (route) => {
      isOpen = false;
      return route.fulfill({ status: 204 });
    },
  });
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  const answer = panel.getByRole("button", { name: "Ответить на вопрос: Есть ли гравировка?" });
  await answer.click();
  await expect(panel.getByRole("textbox", { name: "Двойник ответит" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(answer).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("textbox", { name: "Двойник ответит" })).toBeFocused();
  await page.keyboard.type("Да, за два дня.");
  await expectAccessibleCrosswise(page, "a gap that is answered on the dashboard");
  await expect(panel.getByRole("button", { name: "Ответить всем" })).toHaveAccessibleDescription(
    "Ответить всем: ответ увидят все, кто спросит похожее. Об этом уже спрашивали: 2 человека.",
  );
  await page.keyboard.press("Control+Enter");
  await expectToast(page, "Ответ сохранён");
  await expect(panel).toContainText("Сейчас ничто не ждёт");
  await expect(panel).toBeFocused();
  expect(calls.find(({ call }) => call === DECIDE)?.body).toEqual({
    decision: "answer",
    question: "Есть ли гравировка?",
    text: "Да, за два дня.",
    scope: "contact",
  });
});
