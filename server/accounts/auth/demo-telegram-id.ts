/** The Telegram id in the specification's fake messenger login: all users share this account in demo mode. */
export const DEMO_TELEGRAM_ID = "123456789";
