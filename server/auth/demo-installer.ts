import type { Config } from "#server/config.ts";

/** The Telegram id in the specification's fake messenger login. */
export const DEMO_TELEGRAM_ID = "123456789";

type Settings = Pick<Config, "demo" | "databaseUrl">;

/**
 * Whether the demo user runs the installation: on the embedded database, where nobody is the platform's administrator yet. Elsewhere the
 * demo user may be anybody.
 */
export const demoUserInstalls = ({ demo, databaseUrl }: Settings): boolean => demo && databaseUrl === null;

export const isDemoInstaller = (telegramId: string | null, settings: Settings): boolean =>
  demoUserInstalls(settings) && telegramId === DEMO_TELEGRAM_ID;
