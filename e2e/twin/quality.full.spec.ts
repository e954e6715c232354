// /twin-quality/{id}: the portrait of the owner's speech, the blind test, and how like the owner the twin answers.
// What quality.spec.ts leaves to test:full.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { figures, measure, point, region } from "./quality-parts.ts";

test("a first figure says that it is rough, of what there is too little, and how to make it surer", async ({
  page,
}) => {
  const { id } = await demoTwin(page);
  let rough = { ...measure, rough: true, own: 92, held: 34, people: 3 };
  await page.route(`**/api/digital-twins/${id}/quality`, async (route) => {
    const body = await (await route.fetch()).json();
    const wide = { ...figures, value: 0.43, low: 0.12, high: 0.71 };
    await route.fulfill({ json: { ...body, measure: { ...rough, figures: wide }, history: [point(20, 0.43)] } });
  });
  await page.goto(`/twin-quality/${id}`);
  const fidelity = region(page, "Похожесть на вас");
  await expect(fidelity).toContainText("скорее всего от 12% до 71%");
  await expect(fidelity).toContainText("Это первая, грубая оценка, поэтому границы такие широкие");
  await expect(fidelity).toContainText(
    /Пока есть 3\sсобеседника из 6, с кем сравнить вашу манеру; 34\sответа из 40 в последних разговорах; 92\sреплики из 100, чтобы узнать вашу манеру\. Загрузите больше переписки/,
  );
  await expectAccessibleCrosswise(page, "a first, rough figure");
  await expectNoSidewaysScroll(page);

  // What there is enough of is not asked for.
  rough = { ...rough, own: 180, held: 50 };
  await page.reload();
  await expect(fidelity).toContainText(/Пока есть 3\sсобеседника из 6, с кем сравнить вашу манеру\. Загрузите/);
  rough = { ...rough, rough: false };
  await page.reload();
  await expect(fidelity).toContainText("скорее всего от 12% до 71%");
  await expect(fidelity).not.toContainText("грубая оценка");
});

test("with too few messages the page says how many more help, and where to bring them", async ({ page }) => {
  const { id } = await demoTwin(page);
  await page.route(`**/api/digital-twins/${id}/quality`, async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, profile: { ...body.profile, messages: 21 } } });
  });
  await page.goto(`/twin-quality/${id}`);
  const portrait = region(page, "Портрет вашей речи");
  await expect(portrait).toContainText(/Пока у\sдвойника 21\sваше сообщение\. .+ загрузите ещё 29\sсообщений/);
  await expectAccessibleCrosswise(page, "a twin's quality with few messages");
  await expect(page.locator("main").getByRole("link", { name: "Загрузить переписку" })).toHaveCount(1);
  await region(page, "Похожесть на вас").getByRole("link", { name: "Загрузить переписку" }).click();
  await expect(page).toHaveURL(`/train-ai?tab=dialogues&from=file&twin=${id}`);
});

test("the owner reads how he writes, sees by what, and why there is no figure yet", async ({ page }) => {
  const { id } = await demoTwin(page);
  let outdated = true;
  await page.route(`**/api/digital-twins/${id}/quality`, async (route) => {
    const body = await (await route.fetch()).json();
    const few = { ...measure, outdated, figures: null, lacking: "people", own: 60, held: 12, people: 0 };
    await route.fulfill({ json: { ...body, measure: few, history: [], worst: [], blindTestReady: false } });
  });
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Качество двойника" }).click();
  await expect(page).toHaveURL(`/twin-quality/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Качество двойника" })).toBeVisible();
  const portrait = region(page, "Портрет вашей речи");
  await expect(portrait).toContainText(/Вы пишете коротко: обычно в сообщении \S+\sслов, редко больше/);
  await expect(portrait).toContainText("Разговор начинаете с приветствия: «здравствуйте».");
  const evidence = region(page, "Примеры");
  await expect(evidence.getByText("Вы: ")).toHaveCount(3);
  await expect(evidence.getByRole("listitem").first()).toContainText("с большой буквы");

  // The page reads in this order; the figures behind the portrait are behind one click.
  await expect(page.locator("main").getByRole("heading", { level: 2 })).toHaveText([
    "Похожесть на вас",
    "Портрет вашей речи",
    "Примеры",
    "Все измерения",
    "Слепой тест",
  ]);
  const blindTest = region(page, "Слепой тест");
  await expect(blindTest).toContainText("Откроется, когда будет измерена похожесть.");
  await expect(blindTest.getByRole("button", { name: "Начать тест" })).toHaveAttribute("aria-disabled", "true");
  const style = region(page, "Все измерения");
  await expect(style.getByRole("heading", { name: "Длина" })).toBeHidden();
  await style.getByText("Все измерения").click();
  await expect(style.getByRole("listitem").filter({ hasText: "Длина" })).toContainText(/Обычное сообщение — \d+\sслов/);
  await expect(style).toContainText("«Ты» или «вы»");
  const delay = style.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Скорость ответа" }) });
  await expect(delay.getByRole("listitem")).toHaveText([/\(через\s.+\)$/, /\(через\s.+\)$/]);
  const fidelity = region(page, "Похожесть на вас");
  await expect(fidelity).toContainText(/0 из 3 собеседников, написавших 20 реплик и больше/);
  await expect(fidelity.getByRole("progressbar", { name: "До первого измерения" })).toHaveAttribute(
    "aria-valuenow",
    "0",
  );
  // What the twin has learnt since may be enough; of the same letters nothing else would come.
  const again = fidelity.getByRole("button", { name: "Измерить заново" });
  await expect(again).toBeEnabled();
  outdated = false;
  await page.reload();
  await expect(fidelity).toContainText("0 из 3");
  await expect(again).toHaveCount(0);
  await expectAccessibleCrosswise(page, "a twin's quality without a figure");
  await expectNoSidewaysScroll(page);

  // The figure that is lacking leads to where this twin is given more letters, and the locked test does not repeat it.
  await expect(page.locator("main").getByRole("link", { name: "Загрузить переписку" })).toHaveCount(1);
  await expect(fidelity).toContainText(/Проверяли переписку/);
  await fidelity.getByRole("link", { name: "Загрузить переписку" }).click();
  await expect(page).toHaveURL(`/train-ai?tab=dialogues&from=file&twin=${id}`);
});
