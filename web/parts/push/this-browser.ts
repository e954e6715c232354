/** Push messages in this browser: whether it can take them, and its subscription, which the person who switched it on alone renews. */
import { notificationsApi, type PushDeviceInput } from "#contract/organizations/notifications.ts";
import { ApiError } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";

const KEY = "push-device";

/** Who has switched this browser on, and how the server calls it. */
interface Known {
  userId: string;
  id: string;
}

type PushSupport =
  | "works"
  /** The person has forbidden notifications of this site. */
  | "denied"
  /** An iPhone's browser, outside the home screen. */
  | "home-screen"
  | "unsupported";

export function pushSupport(): PushSupport {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? "home-screen" : "unsupported";
  return Notification.permission === "denied" ? "denied" : "works";
}

/** @returns its id when this person has switched this browser on */
export function switchedOn(userId: string): string | null {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "null") as Known | null;
    return known?.userId === userId ? known.id : null;
  } catch {
    return null;
  }
}

/** The person has not allowed notifications. */
export class NotAllowed extends Error {}

/**
 * Asks the person and the browser's push service, then tells the server.
 * @param publicKey the server's, base64url
 * @throws NotAllowed; the browser's error; ApiError
 */
export async function switchOn(userId: string, publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  await navigator.serviceWorker.register("/service-worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const own = await pushManager.getSubscription();
  // Made for another key it is of no use, and stands in the way of a new one.
  if (own !== null && keyOf(own) !== publicKey) await own.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { id } = await call(notificationsApi.addDevice, { input: subscription.toJSON() as PushDeviceInput });
  localStorage.setItem(KEY, JSON.stringify({ userId, id } satisfies Known));
}

/** Ends the subscription, regardless of who made it. */
export async function switchOff(): Promise<void> {
  localStorage.removeItem(KEY);
  const registration = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

/** At the start of the application: the server learns in which session this browser is now, or it is switched off, if that was asked for elsewhere. */
export async function renew(userId: string): Promise<void> {
  const id = switchedOn(userId);
  if (id === null) return;
  try {
    const { devices, publicKey } = await call(notificationsApi.get);
    if (devices.some((device) => device.id === id) && Notification.permission === "granted")
      await switchOn(userId, publicKey);
    else await switchOff();
  } catch (error) {
    // Without a network, or while the browser's service is away: the next start tries again.
    if (error instanceof ApiError && error.status === 400) await switchOff();
  }
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string | null {
  if (applicationServerKey === null) return null;
  return btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
