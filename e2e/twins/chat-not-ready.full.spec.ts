// A paused twin answers nobody, and one that learns may not know yet: its test chat says so before anything is typed, and offers to
// resume it where one may.
// What chat-not-ready.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

test("the test chat says while a training runs that an answer may be missing until it ends, and then says nothing", async ({
  page,
}) => {
  let running = true;
  await answering(page, {
    "GET /api/digital-twins": (route, request) =>
      json([buildTwin(1, { status: running ? "training" : "ready" })])(route, request),
    [`GET /api/digital-twins/${uuid(1)}/training`]: (route, request) =>
      json(buildTraining({ status: running ? "training" : "ready", running, progress: running ? 0.4 : 1 }))(
        route,
        request,
      ),
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  const chat = page.getByRole("region", { name: "Тест чат: Двойник 1" });
  await expect(chat.getByText("Двойник сейчас учится (40%)")).toBeVisible();
  running = false;
  await expect(chat.getByText("Двойник сейчас учится")).toHaveCount(0);
  await expect(chat.getByText("Двойник ещё учится")).toHaveCount(0);
});
