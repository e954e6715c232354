// What limits.spec.ts and limits.full.spec.ts share.
import type { Page } from "@playwright/test";
import { type Answers, answering } from "../support/answers.ts";

export interface Given {
  at: string;
  answers?: Answers;
  /** The page's time stands until it is moved. */
  clock?: boolean;
}

/** Opens a screen as somebody who is signed in; gives back how often a call was made. */
export async function open(page: Page, { at, answers = {}, clock = false }: Given) {
  const calls = await answering(page, answers);
  if (clock) await page.clock.install();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at);
  return (name: string) => calls.filter(({ call }) => call === name).length;
}

export const list = "GET /api/digital-twins";
