// What notifications.spec.ts and notifications.full.spec.ts share.
import { createECDH, randomBytes, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";
import { newAccount } from "../support/session.ts";
import { PASSWORD, signIn } from "../support/sign-in-form.ts";

export const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

export async function openAccount(page: Page): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await newAccount(page.request, { email, password: PASSWORD, firstName: "Вера" });
  await page.goto("/login?return=%2Faccount");
  await signIn(page, email);
  await expect(page.getByRole("region", { name: "В Telegram" })).toBeVisible();
  return email;
}

/** The push service of a browser without a network: a subscription with keys that a server can encrypt for. */
export async function withPushService(page: Page): Promise<void> {
  const keys = {
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(
    (json) => {
      const subscription = {
        toJSON: () => json,
        options: {},
        unsubscribe: async () => true,
      };
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async () => subscription as unknown as PushSubscription;
      // A headless browser forbids notifications whatever it was granted.
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      Notification.requestPermission = async () => "granted";
    },
    { endpoint, keys },
  );
}
