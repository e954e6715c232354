// What one takes along: a zip of the account, and of the organisation.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { takeOut } from "./data-export-parts.ts";

test("everything of one's own is taken out as a zip that opens, and the archive is removed", async ({
  page,
  server,
}) => {
  await asNewUser(page, server);
  await page.goto("/account");
  const card = page.getByRole("region", { name: "Ваши данные" });
  const files = await takeOut(page, "Ваши данные");
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(["ЧИТАЙТЕ.txt", "data/people.jsonl", "data/sessions.jsonl"]),
  );
  expect(files.get("ЧИТАЙТЕ.txt")).toContain("КАК ЗАГРУЗИТЬ ЭТО СНОВА");
  await expectAccessibleCrosswise(page, "an export that is ready");
  await page.reload();
  await expect(card.getByText("Скачать архив можете только вы")).toBeVisible();
  await card.getByRole("button", { name: "Удалить архив" }).click();
  await expect(card.getByRole("button", { name: "Выгрузить все данные" })).toBeVisible();
});
