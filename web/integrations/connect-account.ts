import { paths } from "#web/paths.ts";

/** Query parameter that opens the wizard of a Telegram account on /integrations: `?connect=account`. */
export const CONNECT = "connect";
export const ACCOUNT = "account";
export const connectAccountPath = `${paths.integrations}?${CONNECT}=${ACCOUNT}`;
