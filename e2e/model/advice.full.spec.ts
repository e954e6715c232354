// /model: the one offer for this machine, taken in one press, against answers of the test's own.
// What advice.spec.ts leaves to test:full.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { CATALOGUE, installed, onServer } from "./advice-parts.ts";

test("what works is said, also what a restart is needed for, and a machine that can run none is led to a remote model", async ({
  page,
}) => {
  const [reader, writer] = CATALOGUE;
  const { state } = await onServer(page, {
    advised: [],
    installed: [
      installed(1, writer!, { state: "ready", wanted: false, chosen: true }),
      installed(2, reader!, { state: "ready", wanted: false, chosen: true, afterRestart: true }),
    ],
  });
  const done = page.getByRole("region", { name: "Готово: модели работают" });
  await expect(done).toContainText("Работает: QVikhr-3 1.7B. После перезапуска сервера заработает: BGE-M3.");
  await expectAccessibleCrosswise(page, "models at work");
  state.installed = [];
  await page.reload();
  const none = page.getByRole("region", { name: "Этому серверу модели не по силам" });
  await expect(none.getByRole("link", { name: "удалённая модель" })).toHaveAttribute("href", "/model?tab=remote");
});
