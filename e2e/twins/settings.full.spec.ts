// Section 2, Twin settings; sections 7 to 9 for them: the figures, the switch and the training that is followed.
// What settings.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { PHONE } from "../support/viewports.ts";
import { anna, path } from "./settings-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test.describe("a twin's settings", () => {
  test("say on a phone whose they are at once, and list the chat on the twin's site", async ({ page }) => {
    const chat = { twinName: "Анна", title: "Напишите нам", autonomy: "auto", messagesHandled: 0, lately: null };
    await answering(page, {
      ...listOf(anna),
      [`GET ${path}`]: json(anna),
      "GET /api/widgets": json([
        { ...chat, twinId: uuid(1), sites: ["https://shop.test"] },
        { ...chat, twinId: uuid(2), sites: [] },
      ]),
    });
    await page.setViewportSize(PHONE);
    await page.goto(`/twin-settings/${uuid(1)}`);
    await expect(page.locator("main").getByText("Анна", { exact: true }).first()).toBeInViewport();
    const lines = page.getByRole("region", { name: "Интеграции" }).getByRole("listitem");
    await expect(lines).toHaveText(["Чат на сайтеАктивна", /^Email/, /^Telegram/]);
    await expect(lines.getByRole("link").first()).toHaveAttribute("href", `/twin-access/${uuid(1)}?tab=widget`);
    await expectAccessibleCrosswise(page, "/twin-settings with a chat on a site");
  });

  test("follow a training to its end", async ({ page }) => {
    let state = buildTwin(1, { status: "training" });
    let progress = buildTraining({ status: "training", progress: 0.4, running: true, stage: "Разбираем переписки" });
    await answering(page, {
      ...listOf(state),
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`GET /api/digital-twins/${state.id}/training`]: (route, request) => json(progress)(route, request),
    });
    await page.goto(`/twin-settings/${state.id}`);
    await expect(page.getByText("В обучении")).toBeVisible();
    await expect(page.getByText("Разбираем переписки")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Обучение двойника" })).toHaveAttribute("aria-valuenow", "40");
    state = { ...state, status: "ready" };
    progress = buildTraining();
    await expect(page.getByText("Обучение закончено.")).toBeVisible();
    await expect(page.getByText("Готов", { exact: true })).toBeVisible();
  });
});
