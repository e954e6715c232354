// /twin-gaps/{id}: what the twin could not answer, answered once for everybody who asked, and how ready the twin is.
import { buildWaiting } from "../factories/dashboard.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asOwner } from "../support/owner.ts";
import { PHONE } from "../support/viewports.ts";
import { ANSWER, SNOWMOBILE } from "./gaps-parts.ts";

test("gaps that cannot be loaded say so, and are asked for again", async ({ page }) => {
  const { id } = await asOwner(page);
  let fails = true;
  const none = { open: 0, answered: 0, ignored: 0 };
  await interceptCalls(
    page,
    (route) =>
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
    "*://*/gaps\\?*",
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
  await interceptCalls(
    page,
    (route) => route.fulfill({ json: { readiness, counts, gaps: [gap], working: false } }),
    "*://*/gaps\\?*",
  );
  await page.goto(`/twin-gaps/${id}`);
  const reply = page.getByRole("textbox", { name: "Двойник ответит" });
  // Where the twin looked and found too little; the question is shown once, and its wording can be changed.
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
  await interceptCalls(page, () => new Promise(() => undefined), `*://*/gaps/${gap.id}`);
  await page.getByRole("button", { name: "Не отвечать" }).click();
  const answer = page.getByRole("button", { name: "Ответить собеседнику" });
  await expect(answer).toBeDisabled();
  await expect(answer).not.toHaveAttribute("aria-busy", "true");
});

test("on a phone the opened question is just below the header, and one that is wholly in sight does not move", async ({
  page,
}) => {
  const { id } = await asOwner(page);
  const gap = (n: number, question: string) => ({
    ...{ id: uuid(90 + n), state: "open", question, people: 2, times: 2, lastAskedAt: NOW, near: [], nearest: null },
    ...{ answer: null, answeredBy: null, ignoredAs: null, proposal: null },
    questions: [1, 2].map((k) => ({
      ...{ id: String(10 * n + k), text: question, conversationId: uuid(70 + n), messageId: String(k) },
      ...{ platform: "telegram", contactName: `Собеседник ${k}`, askedAt: NOW, answered: null, told: null },
    })),
  });
  const gaps = [SNOWMOBILE, "Есть ли гравировка?", "Где купить шлем?"].map((question, n) => gap(n, question));
  const readiness = { questions: 40, atFirst: 20, now: 30 };
  await interceptCalls(
    page,
    (route) =>
      route.fulfill({ json: { readiness, counts: { open: 3, answered: 0, ignored: 0 }, gaps, working: false } }),
    "*://*/gaps\\?*",
  );
  await page.setViewportSize(PHONE);
  await page.goto(`/twin-gaps/${id}`);
  const list = page.getByRole("list", { name: "Вопросы без ответа" });
  const below = async () => {
    const header = (await page.getByRole("banner").boundingBox())!;
    return header.y + header.height;
  };
  // The first row is open from the start, below the screen's head.
  const opened = list.getByRole("region", { name: SNOWMOBILE });
  await opened.getByRole("textbox").focus();
  await expect(opened.getByRole("button", { name: "Ответить всем" })).toBeInViewport({ ratio: 1 });
  for (const question of ["Где купить шлем?", "Есть ли гравировка?"]) {
    const row = list.getByRole("button", { name: question });
    await row.click();
    await expect(row).toHaveAttribute("aria-expanded", "true");
    const gapAbove = (await row.boundingBox())!.y - (await below());
    expect(gapAbove).toBeGreaterThanOrEqual(0);
    expect(gapAbove).toBeLessThan(24);
    await expect(list.getByRole("region", { name: question }).getByRole("textbox")).toBeInViewport({ ratio: 1 });
  }
  // The buttons of the form take the whole width, and one line says in their order what they do.
  const region = list.getByRole("region", { name: "Есть ли гравировка?" });
  const width = async (name: string) => (await region.getByRole("button", { name }).boundingBox())!.width;
  expect(await width("Ответить всем")).toBe(await width("Ответить спросившим"));
  expect(await width("Ответить всем")).toBeGreaterThan(300);
  await expect(region.getByText(/^Ответить всем: .* «Не\sотвечать»: .* «Не\sвопрос»: /)).toBeVisible();

  await page.setViewportSize({ ...PHONE, height: 1400 });
  const first = list.getByRole("button", { name: SNOWMOBILE });
  await first.click();
  await first.click();
  await page.evaluate(() => scrollTo(0, 0));
  const place = (await first.boundingBox())!.y;
  await first.click();
  await expect(first).toHaveAttribute("aria-expanded", "true");
  expect((await first.boundingBox())!.y).toBe(place);
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
