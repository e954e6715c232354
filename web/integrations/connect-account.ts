import { paths } from "#web/paths.ts";

/** Whether the form of a Telegram account stands open on /integrations: `?connect=account`. */
export const CONNECT = "connect";
export const ACCOUNT = "account";
export const connectAccountPath = `${paths.integrations}?${CONNECT}=${ACCOUNT}`;
