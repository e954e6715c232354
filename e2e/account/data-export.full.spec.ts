// What one takes along: a zip of the account, and of the organisation.
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { takeOut } from "./data-export-parts.ts";

test("an administrator takes the organisation's data out", async ({ page, server }) => {
  await asNewUser(page, server);
  await page.goto("/organization-data");
  const files = await takeOut(page, "Данные организации в одном архиве");
  expect([...files.keys()]).toEqual(expect.arrayContaining(["data/organization.jsonl", "data/memberships.jsonl"]));
});
