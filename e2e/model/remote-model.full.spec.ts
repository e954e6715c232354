// /model: an organisation connects a model of a provider, whose key is kept and not shown.
// What remote-model.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { asAdministrator } from "../support/super-admin.ts";

test("where a remote model answers and this server has none, nothing else is said to write the replies", async ({
  page,
}) => {
  const { headers, organizationId } = await asAdministrator(page);
  await page.goto("/model");
  const ofThisServer = page.getByRole("region", { name: "Модель на этом сервере" });
  await expect(ofThisServer).toContainText("ответы пишет встроенный движок");
  const data = {
    ...{ preset: "compatible", baseUrl: "https://models.example/v1", model: "m", apiKey: "key" },
    ...{ currency: "RUB", enabled: true },
  };
  const answer = await page.request.put(`/api/organizations/${organizationId}/remote-model`, { headers, data });
  expect(answer.status()).toBe(200);
  await page.reload();
  await expect(
    page.getByRole("region", { name: "Удалённая модель" }).getByText("Отвечает", { exact: true }),
  ).toBeVisible();
  await expect(ofThisServer).toBeHidden();
});
