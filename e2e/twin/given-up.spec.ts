// Background work that was given up is reported beside its results, and can be requested again there.
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

// Background work that was given up is reported beside its results, and can be requested again there.

const failedAt = "2026-11-20T10:00:00.000Z";
const id = uuid(1);

test("measuring and checking that were given up stand on their screens, and «Повторить» asks anew", async ({
  page,
}) => {
  let measured = false;
  const calls = await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1)]),
    ...oneTwin(buildTwin(1)),
    [`GET /api/digital-twins/${id}/quality`]: () => ({
      profile: null,
      groups: [],
      measure: null,
      failedAt: measured ? null : failedAt,
      history: [],
      worst: [],
      blindTestReady: false,
      blindTests: [],
    }),
    [`POST /api/digital-twins/${id}/quality/measure`]: (route) => {
      measured = true;
      return route.fulfill({ status: 202, json: { queued: true } });
    },
    [`GET /api/digital-twins/${id}/corrections`]: json({ corrections: [], waiting: [], failedAt }),
    [`POST /api/digital-twins/${id}/corrections/replay`]: json({ queued: true }, 202),
  });
  const alert = page.locator("main").getByRole("alert").filter({ hasText: "не получилось" });
  await page.goto(`/twin-quality/${id}`);
  await expect(alert).toContainText("Измерить похожесть не получилось. Последняя попытка: 20 ноября");
  await alert.getByRole("button", { name: "Повторить" }).click();
  await expect(alert).toHaveCount(0);
  await page.goto(`/twin-corrections/${id}`);
  await expect(alert).toContainText("Проверить, держатся ли исправления, не получилось.");
  await alert.getByRole("button", { name: "Повторить" }).press("Enter");
  await expect.poll(() => calls.map(({ call }) => call)).toContain(`POST /api/digital-twins/${id}/corrections/replay`);
});
