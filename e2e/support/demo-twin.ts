import type { Page } from "@playwright/test";
import type { Twin } from "#contract/twins.ts";
import { callsOf } from "./owner.ts";
import { asDemoUser } from "./session.ts";

/** The demo user is signed in; gives back the first twin of the demo workspace, which tests only look at. */
export async function demoTwin(page: Page): Promise<Twin> {
  const { get } = callsOf(page, { authorization: `Bearer ${await asDemoUser(page)}` });
  const [first] = await get("/api/digital-twins");
  return first;
}
