// What limits.spec.ts and limits.full.spec.ts share.
import type { Page } from "@playwright/test";
import { buildTwin } from "../factories/twin.ts";
import { type Answers, answering, json } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";

interface Given {
  at: string;
  answers?: Answers;
  /** The page's time stands until it is moved. */
  clock?: boolean;
}

/** Opens a screen as somebody who is signed in; gives back how often a call was made. */
export async function open(page: Page, { at, answers = {}, clock = false }: Given) {
  const calls = await answering(page, answers);
  if (clock) await page.clock.install();
  await page.setViewportSize(DESKTOP);
  await page.goto(at);
  return (name: string) => calls.filter(({ call }) => call === name).length;
}

export const list = "GET /api/digital-twins";

/** A form that a press of its button answers by a toast; with `clock`, time stands still once the code of toasts is there. */
export async function openForm(page: Page, clock: boolean) {
  const code = json({ phoneCodeHash: "p", sessionId: "s" });
  const answers = { [list]: json([buildTwin(1)]), "POST /api/integrations/telegram/send-code": code };
  await open(page, { at: "/integrations?connect=account", answers, clock });
  const send = page.getByRole("button", { name: "Отправить код" });
  await expect(send).toBeVisible();
  const region = page.getByRole("region", { name: /^Уведомления/, includeHidden: true });
  if (clock) {
    // The toasts' code comes with the first press; it could not come while time stands still.
    await page.getByRole("heading", { level: 1 }).click();
    await expect(region).toBeAttached();
    await pauseClock(page);
  }
  return { send, show: () => send.click() };
}
