// Whose turn it is: what the wizard shows while the product works, and what while the person must act.
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { QUESTIONS } from "./turns-parts.ts";
import { atStep, buttonOf, NAME, stepCard } from "./wizard.ts";

test("the last step leads with Telegram, and the form for an opinion follows with the owner's own answer beside the twin's", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: NAME });
  const learnt = async () => (await owner.get(`/api/digital-twins/${owner.id}/training`)).status;
  await uploadTalk(
    owner,
    "Димон",
    1,
    QUESTIONS[0]!,
    "беру на Савёловской у Палыча",
    QUESTIONS[1]!,
    "на Савёловской у Палыча беру всегда",
  );
  await expect.poll(learnt, { timeout: 30_000 }).toBe("ready");
  await page.goto(`/onboarding?twin=${owner.id}&step=3`);
  await expect(stepCard(page)).toContainText("ответ двойника рядом с вашим");
  await expect(stepCard(page).getByRole("region", { name: /^Ответ двойника/ })).toContainText("Савёловской");
  await expect(page).toHaveURL(/reply=/);
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Обратная связь");
  const telegram = page.getByRole("link", { name: "Подключить Telegram" });
  const opinion = page.getByRole("radio", { name: /^1/ });
  await expect(opinion).toBeAttached();
  expect((await telegram.boundingBox())!.y).toBeLessThan((await opinion.boundingBox())!.y);
  await expect(stepCard(page).getByRole("region", { name: "Ваш настоящий ответ" })).toContainText("Палыча");
  await expect(stepCard(page).getByRole("region", { name: /^Ответ двойника/ })).toContainText("Савёловской");
});
