// The number by which a failure is found in the server's log: on the screen, to be copied.
// What request-number.spec.ts leaves to test:full.
import { randomUUID } from "node:crypto";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { broken } from "./request-number-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("a list that cannot be loaded shows the number beside «Повторить»", async ({ page }) => {
  const id = randomUUID();
  await answering(page, { "GET /api/digital-twins": broken(id) });
  await page.goto("/twins");
  await expect(page.getByRole("alert")).toContainText(`Номер обращения ${id}`);
  await expectAccessibleCrosswise(page, "an error card with a number");
});
