/** Hands an encrypted message to the browser's push service (RFC 8030). */
import { plainHost } from "#server/platform/network/public-address.ts";
import { requestPublic } from "#server/platform/network/public-request.ts";
import { encryptMessage, type SubscriptionKeys } from "./encrypt-message.ts";
import { type VapidKeys, vapidHeader } from "./vapid.ts";

/** Push services of Chromium browsers, Firefox, Edge on Windows and Safari. The browser supplies the address, so others are refused. */
const SERVICES = ["fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com"];
const TIMEOUT_MS = 10_000;
/** Lifetime of an undelivered message. A user who is offline longer sees the drafts in the web app. */
const KEPT_SECONDS = 12 * 3600;

/** @param loopback whether a service on this machine is accepted too: in tests only */
export function isPushService(endpoint: string, loopback: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  const host = plainHost(url.hostname);
  if (loopback && host === "127.0.0.1") return true;
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    SERVICES.some((service) => (service.startsWith(".") ? host.endsWith(service) : host === service))
  );
}

export interface PushMessage {
  title: string;
  body: string;
  /** Path within the product that opens when the notification is pressed. */
  url: string;
  /** A later message with the same tag replaces the earlier one, in delivery and on the screen. At most 32 characters. */
  tag: string;
}

interface Sending {
  keys: VapidKeys;
  contact: string;
  loopback: boolean;
}

/**
 * @returns "sent"; "gone" when the browser has ended the subscription
 * @throws Error when the service cannot be reached or answers with something else
 */
export async function sendPush(
  device: SubscriptionKeys & { endpoint: string },
  message: PushMessage,
  { keys, contact, loopback }: Sending,
): Promise<"sent" | "gone"> {
  const url = new URL(device.endpoint);
  const { status } = await requestPublic(url, {
    method: "POST",
    maxBytes: 0,
    headers: {
      authorization: vapidHeader(keys, url.origin, contact),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(KEPT_SECONDS),
      topic: message.tag,
      urgency: "high",
    },
    body: encryptMessage(Buffer.from(JSON.stringify(message)), device),
    timeoutMs: TIMEOUT_MS,
    loopback,
  });
  if (status === 404 || status === 410) return "gone";
  if (status < 200 || status > 299) throw new Error(`The push service answered ${status}`);
  return "sent";
}
