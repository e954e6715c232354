/** Push messages in this browser: whether it supports them, and its subscription. Only the user who enabled it renews it. */
import { notificationsApi, type PushDeviceInput } from "#contract/organizations/notifications.ts";
import { ApiError } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";

const KEY = "push-device";

/** The user who enabled push messages in this browser, and the browser's id on the server. */
interface Known {
  userId: string;
  id: string;
}

type PushSupport =
  | "works"
  /** The user has blocked notifications of this site. */
  | "denied"
  /** An iPhone's browser, which supports push only from the home screen. */
  | "home-screen"
  | "unsupported";

export function pushSupport(): PushSupport {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? "home-screen" : "unsupported";
  return Notification.permission === "denied" ? "denied" : "works";
}

/** @returns the browser's id when this user has enabled push messages in it */
export function switchedOn(userId: string): string | null {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "null") as Known | null;
    return known?.userId === userId ? known.id : null;
  } catch {
    return null;
  }
}

/** Thrown when the user does not permit notifications. */
export class NotAllowed extends Error {}

let working: Promise<unknown> = Promise.resolve();

/** A browser that is switched off while its start still registers it would be registered again after its removal. */
function oneAtATime<Result>(act: () => Promise<Result>): Promise<Result> {
  const done = working.then(act);
  working = done.catch(() => undefined);
  return done;
}

/**
 * Requests permission and a subscription of the browser's push service, then registers it on the server.
 * @param publicKey the server's key, base64url
 * @throws NotAllowed; the browser's error; ApiError
 */
export const switchOn = (userId: string, publicKey: string): Promise<void> =>
  oneAtATime(() => register(userId, publicKey));

async function register(userId: string, publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  await navigator.serviceWorker.register("/service-worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const own = await pushManager.getSubscription();
  // A push subscription is bound to the server's key. One for an earlier key receives nothing, and the browser refuses a second one.
  if (own !== null && keyOf(own) !== publicKey) await own.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { id } = await call(notificationsApi.addDevice, { input: subscription.toJSON() as PushDeviceInput });
  localStorage.setItem(KEY, JSON.stringify({ userId, id } satisfies Known));
}

/** Ends the subscription, regardless of who made it. */
export const switchOff = (): Promise<void> => oneAtATime(unsubscribe);

async function unsubscribe(): Promise<void> {
  localStorage.removeItem(KEY);
  const registration = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

/**
 * Runs at the start of the application: tells the server this browser's current session, or unsubscribes if the user requested that
 * elsewhere.
 */
export const renew = (userId: string): Promise<void> => oneAtATime(() => renewOwn(userId));

async function renewOwn(userId: string): Promise<void> {
  const id = switchedOn(userId);
  if (id === null) return;
  try {
    const { devices, publicKey } = await call(notificationsApi.get);
    if (devices.some((device) => device.id === id) && Notification.permission === "granted")
      await register(userId, publicKey);
    else await unsubscribe();
  } catch (error) {
    // Without a network or the browser's push service, the next start tries again.
    if (error instanceof ApiError && error.status === 400) await unsubscribe();
  }
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string | null {
  if (applicationServerKey === null) return null;
  return btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
