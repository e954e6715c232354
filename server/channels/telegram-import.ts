/** Reading a connected account's history: asked for here, done by the job `run-import`. */
import type { TelegramImport } from "#contract/integrations.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { unavailable, unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { getChangeableIntegration } from "./integrations.ts";

/** @throws Problem always: 404 or 403 for the integration, 422 for one of another platform or that is paused, else 503 */
export async function importTelegramHistory(
  db: Database,
  viewer: Viewer,
  id: string,
  _limits: TelegramImport,
): Promise<never> {
  const { platform, status } = await asTenant(db, viewer, (tx) => getChangeableIntegration(tx, viewer, id));
  if (platform !== "telegram") throw unprocessable("not_telegram", "Это интеграция другой платформы");
  if (status !== "active")
    throw unprocessable("integration_inactive", "Интеграция приостановлена: сначала включите её");
  throw unavailable(
    "telegram_account_unavailable",
    "Импорт из Telegram-аккаунта на этом сервере пока недоступен. Загрузите файл выгрузки Telegram на странице обучения.",
  );
}
