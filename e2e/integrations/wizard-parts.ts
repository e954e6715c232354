// What wizard.spec.ts and wizard.full.spec.ts share.
import type { Page } from "@playwright/test";
import { sendCode, verify } from "./wizard.ts";

export async function connect(page: Page) {
  await sendCode(page);
  await verify(page);
}
