// What one takes along: a zip of the account, and of the organisation.
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { fromBufferPromise } from "yauzl";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";

/** Asks for the zip on the card, fetches it and gives what its files hold. */
async function takeOut(page: Page, card: string): Promise<Map<string, string>> {
  const region = page.getByRole("region", { name: card });
  await region.getByRole("button", { name: "Выгрузить все данные" }).click();
  await expect(region.getByRole("status")).toContainText("Готово.");
  const downloading = page.waitForEvent("download");
  await region.getByRole("button", { name: /^Скачать/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^digital-twins-(?:account|organization)-[\d-]{10}\.zip$/);
  const zip = await fromBufferPromise(await readFile(await download.path()), { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  return files;
}

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

test("an administrator takes the organisation's data out", async ({ page, server }) => {
  await asNewUser(page, server);
  await page.goto("/organization-data");
  const files = await takeOut(page, "Данные организации в одном архиве");
  expect([...files.keys()]).toEqual(expect.arrayContaining(["data/organization.jsonl", "data/memberships.jsonl"]));
});
