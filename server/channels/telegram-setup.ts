/** The wizard's three calls: they check all that they are given; signing in to a live account is not served yet, and they say so. */
import { eq } from "drizzle-orm";
import type { TelegramImport, TelegramSetup, TelegramVerification } from "#contract/integrations.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { twins } from "#server/db/schema.ts";
import { notFound, type Problem, unavailable, unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { canChange } from "#server/organizations/access.ts";
import { getChangeableIntegration } from "./integrations.ts";

const notServed = (): Problem =>
  unavailable(
    "telegram_account_unavailable",
    "Подключение Telegram-аккаунта на этом сервере пока недоступно. Загрузите файл выгрузки Telegram на странице обучения.",
  );

/** @throws Problem always: what is wrong with the input, else 503 */
export async function sendTelegramCode(db: Database, viewer: Viewer, input: TelegramSetup): Promise<never> {
  await asTenant(db, viewer, (tx) => checkTwin(tx, viewer, input.twinId));
  throw notServed();
}

/** @throws Problem always: what is wrong with the input, else 503 */
export async function verifyTelegramCode(db: Database, viewer: Viewer, input: TelegramVerification): Promise<never> {
  await asTenant(db, viewer, (tx) => checkTwin(tx, viewer, input.twinId));
  throw notServed();
}

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
  throw notServed();
}

/** The twin that learns from the account. @throws Problem 422 where the organisation has none, 404, 403 */
async function checkTwin(tx: Tx, viewer: Viewer, twinId: string): Promise<void> {
  const known = await tx
    .select({ id: twins.id, orgId: twins.orgId, ownerId: twins.ownerId })
    .from(twins)
    .where(eq(twins.orgId, viewer.organizationId));
  if (known.length === 0) throw unprocessable("no_twins", "Сначала создайте Digital Twin");
  const twin = known.find(({ id }) => id === twinId);
  if (twin === undefined) throw notFound("Выбранный Digital Twin не найден", "twin_not_found");
  canChange(viewer, twin);
}
