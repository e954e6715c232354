// What telegram.spec.ts and telegram.full.spec.ts share.
import { createHash, createHmac } from "node:crypto";
import type { Page } from "@playwright/test";

// Sign-in by Telegram's widget, which is played here: it shows a button and leads to `data-auth-url` with signed fields.

export const BOT = "digital_twins_test_bot";

export const TOKEN = "123456:the-token-of-a-bot-0123456789abcdefghij-that-is-not-there";
export const SCRIPT = "https://telegram.org/js/telegram-widget.js";

/** Signs the way Telegram does. */
export function signed(fields: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = { ...fields, auth_date: String(Math.floor(Date.now() / 1000)) };
  const lines = Object.entries(all).map(([key, value]) => `${key}=${value}`);
  const secret = createHash("sha256").update(TOKEN).digest();
  return { ...all, hash: createHmac("sha256", secret).update(lines.sort().join("\n")).digest("hex") };
}

export async function playWidget(page: Page, answer: Record<string, string>): Promise<void> {
  const body = `
    const script = document.currentScript;
    const button = document.createElement("button");
    button.textContent = "Log in with Telegram";
    button.onclick = () => {
      location.href = script.dataset.authUrl + "&" + new URLSearchParams(${JSON.stringify(answer)});
    };
    script.before(button, document.createElement("iframe"));`;
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: "text/javascript", body }));
}
