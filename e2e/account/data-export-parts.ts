// What the tests of data-export.spec.ts and data-export.full.spec.ts share.
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { fromBufferPromise } from "yauzl";
import { expect } from "../support/fixtures.ts";

/** Asks for the zip on the card, fetches it and gives what its files hold. */
export async function takeOut(page: Page, card: string): Promise<Map<string, string>> {
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
