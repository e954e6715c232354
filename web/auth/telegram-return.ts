// Telegram's script evaluates the text of a `data-onauth` callback, which the content security policy forbids. Its other
// documented way is `data-auth-url`, which redirects the browser with the signed fields in the query. A stranger could send such a
// link, so the fields count only in the tab that requested them.
import type { TelegramLoginInput } from "#contract/organizations/auth.ts";
import { paths, returnAddress } from "#web/paths.ts";

/** The query parameter with the tab's random value, which is also stored in session storage under this name. */
export const TELEGRAM_STATE = "telegram_state";

/** The URL that the widget redirects to: the login page with the tab's value and the URL to return to afterwards. */
export function telegramReturnUrl(origin: string, search: string, state: string): string {
  const url = new URL(paths.login, origin);
  url.searchParams.set(TELEGRAM_STATE, state);
  const address = returnAddress(search);
  if (address !== undefined) url.searchParams.set("return", address);
  return url.href;
}

interface TelegramReturn {
  /** Every field that Telegram added, because the signature covers each of them. */
  payload: TelegramLoginInput;
  state: string;
  /** The login page's address without the widget's parameters. */
  address: string;
}

/** The widget's payload in the query; undefined on any other visit. */
export function readTelegramReturn(search: string): TelegramReturn | undefined {
  const { [TELEGRAM_STATE]: state, return: _, ...fields } = Object.fromEntries(new URLSearchParams(search));
  const { id, hash } = fields;
  if (state === undefined || id === undefined || hash === undefined) return undefined;
  const address = returnAddress(search);
  return {
    payload: { ...fields, id },
    state,
    address: address === undefined ? paths.login : `${paths.login}?return=${encodeURIComponent(address)}`,
  };
}

export function newTelegramState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
