import { paths } from "#web/paths.ts";

/** Leads into the wizard of a Telegram account on /integrations: `?connect=account`. */
export const CONNECT = "connect";
export const ACCOUNT = "account";
export const connectAccountPath = `${paths.integrations}?${CONNECT}=${ACCOUNT}`;
