/** The Telegram id in the specification's fake messenger login: the account that all users share in demo mode. */
export const DEMO_TELEGRAM_ID = "123456789";
