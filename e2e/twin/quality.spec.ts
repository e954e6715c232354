// /twin-quality/{id}: the portrait of the owner's speech, the blind test, and how like the owner the twin answers.
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { measure, point, region, strangers, worst } from "./quality-parts.ts";

/** To clients the owner writes as the profile of everybody says, but for what differs. */
const groupsOf = (profile: Record<string, object>) => [
  {
    key: "ты1",
    address: "ты",
    names: ["Олег", "Мама"],
    contacts: 14,
    profile: {
      ...profile,
      length: { p25: 4, median: 9, p75: 20, words: 2, examples: ["ты где)", "ага, ща"] },
      brackets: { ...profile.brackets, share: 0.9, top: [{ text: ")", count: 40 }] },
    },
  },
  {
    key: "вы2",
    address: "вы",
    names: ["Анна Петрова", "ООО «Ромашка», отдел закупок"],
    contacts: 2,
    profile: {
      ...profile,
      length: { p25: 60, median: 140, p75: 260, words: 20, examples: ["Отправляю вам договор на согласование."] },
      brackets: { ...profile.brackets, share: 0 },
      emoji: { ...profile.emoji, share: 0 },
      lowerCaseStart: { share: 0, examples: [] },
      finalFullStop: { share: 1, examples: [] },
      greetings: { ...profile.greetings, top: [{ text: "здравствуйте", count: 12 }] },
    },
  },
];

const pairs = Array.from({ length: 10 }, (_, at) => ({
  id: String(at + 1),
  contactName: "Олег",
  incoming: `Вопрос номер ${at + 1}?`,
  replies: [`ответ один ${at}`, `ответ два ${at}`],
}));

test("the figure stands between a stranger's and the owner's own; ten pairs are guessed at", async ({ page }) => {
  const { id } = await demoTwin(page);
  const blindTests: object[] = [];
  await page.route(`**/api/digital-twins/${id}/quality`, async (route) => {
    const body = await (await route.fetch()).json();
    const history = [point(18, 0.55), point(19, 0.66), point(20, 0.72)];
    const groups = groupsOf(body.profile);
    await route.fulfill({
      json: { ...body, groups, measure, strangers, history, worst, blindTests, blindTestReady: true },
    });
  });
  let sent: unknown;
  await page.route(`**/api/digital-twins/${id}/blind-test`, async (route) => {
    if (route.request().method() === "GET") {
      await route.fulfill({ json: { id: "8b0e2f1c-0000-4000-8000-000000000001", pairs } });
      return;
    }
    sent = route.request().postDataJSON();
    blindTests.push({ takenAt: "2026-11-21T10:00:00Z", right: 6, total: 10 });
    await route.fulfill({ json: { right: 6, total: 10, own: pairs.map(({ id }) => ({ id, choice: 1 })) } });
  });
  await page.goto(`/twin-quality/${id}`);
  const fidelity = region(page, "Похожесть на вас");
  await expect(fidelity).toContainText("72%");
  await expect(fidelity).toContainText("скорее всего от 64% до 79%");
  await expect(fidelity).toContainText(/Тем, кому вы уже отвечали\. Отвечала модель qwen2\.5:7b\. Ещё 4\s?сообщения/);
  await expect(fidelity).toContainText(/61% тем, кто пишет впервые \(скорее всего от 50% до 70%\)/);
  await expect(fidelity).toContainText("Ваши собственные старые сообщения91%");
  await expect(region(page, "Как менялась похожесть").getByRole("listitem")).toHaveCount(3);
  await expect(region(page, "Где двойник не похож")).toContainText("Двойник");
  await expect(region(page, "Портрет вашей речи")).toContainText(
    /Разным людям вы пишете по-разному\. На\s«ты».+\s— 14\sсобеседникам, среди них Олег и\sМама\. На\s«вы».+\s— двум\sсобеседникам: это\sАнна Петрова/,
  );
  await page.getByText("Все измерения").click();
  const kinds = region(page, "С разными людьми по-разному");
  await expect(kinds.getByRole("heading", { level: 4 })).toContainText(["На «ты»: ", "На «вы»: "]);
  await expect(kinds).toContainText("Олег, Мама и еще 12 человек");
  await expect(kinds).toContainText("Здороваетесь: «здравствуйте».");
  await expectAccessibleCrosswise(page, "a twin's quality");
  await expectNoSidewaysScroll(page);

  await page.getByRole("button", { name: "Начать тест" }).click();
  const dialog = page.getByRole("dialog", { name: "Какой ответ ваш?" });
  await expect(dialog).toContainText("Вопрос 1 из 10");
  await expectAccessible(page, "a pair of the blind test");
  // By keyboard: the first of the two each time; once thought better of.
  for (let question = 1; question <= 10; question++) {
    if (question === 3) {
      await dialog.getByRole("button", { name: "Назад" }).click();
      await expect(dialog).toContainText("Вопрос 2 из 10");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    }
    await expect(dialog).toContainText(`Вопрос ${question} из 10`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  }
  await expect(dialog).toContainText("Вы узнали себя в 6 из 10");
  expect(sent).toMatchObject({ answers: pairs.map(({ id }) => ({ id, choice: 0 })) });
  await expectAccessible(page, "the blind test's result");
  await dialog.getByRole("button", { name: "Закрыть" }).last().click();
  await expect(region(page, "Слепой тест")).toContainText("Узнали себя в 6 из 10");
  await expect(region(page, "Слепой тест")).toContainText("по этим ответам вас и двойника не различить");
});

test("a page that did not load says so and is asked for again", async ({ page }) => {
  const { id } = await demoTwin(page);
  let broken = true;
  await page.route(`**/api/digital-twins/${id}/quality`, (route) =>
    broken ? route.fulfill({ status: 404, json: { message: "Двойник не найден" } }) : route.continue(),
  );
  await page.goto(`/twin-quality/${id}`);
  await expect(page.getByText("Не удалось загрузить качество двойника")).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(region(page, "Портрет вашей речи")).toBeVisible();
});

test("the redacted pairs are downloaded, and a refusal says why; the address of «Почерк» leads here", async ({
  page,
}) => {
  const { id } = await demoTwin(page);
  let refused = true;
  await page.route(`**/api/digital-twins/${id}/training-pairs`, (route) => {
    if (refused) return route.fulfill({ status: 409, json: { message: "Пар пока нет" } });
    const headers = { "content-disposition": 'attachment; filename="training-pairs-2026-11-30.zip"' };
    return route.fulfill({ headers, contentType: "application/zip", body: "PK" });
  });
  await page.goto(`/twin-voice/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Качество двойника");
  const button = page.getByRole("button", { name: "Скачать пары для обучения модели" });
  await button.press("Enter");
  await expectToast(page, "Не удалось скачать пары", "Пар пока нет");
  refused = false;
  const coming = page.waitForEvent("download");
  await button.press("Enter");
  expect((await coming).suggestedFilename()).toBe("training-pairs-2026-11-30.zip");
});
