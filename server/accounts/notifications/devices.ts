/** The browsers of a user that take push messages. */
import { and, asc, eq, ne } from "drizzle-orm";
import { PUSH_DEVICES_LIMIT, type PushDevice, type PushDeviceInput } from "#contract/organizations/notifications.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { pushDevices, users } from "#server/platform/db/schema/accounts.ts";
import { conflict, invalid, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { encryptMessage } from "./web-push/encrypt-message.ts";
import { isPushService } from "./web-push/push-service.ts";

type DeviceRow = typeof pushDevices.$inferSelect;

const REFUSED = "Этот браузер не поддерживает уведомления: его служба нам не знакома";

export const deviceJson = ({ id, name, createdAt, sessionId }: DeviceRow, caller: Caller): PushDevice => ({
  ...{ id, name, createdAt: createdAt.toISOString(), current: sessionId === caller.sessionId },
});

export async function listDevices(db: Tx, userId: string): Promise<DeviceRow[]> {
  return db
    .select()
    .from(pushDevices)
    .where(eq(pushDevices.userId, userId))
    .orderBy(asc(pushDevices.createdAt), asc(pushDevices.id));
}

/**
 * Adds a browser or updates its subscription. A browser has one subscription, so a user who enabled it there before no longer gets messages
 * there.
 * @throws Problem 400 for an unknown push service or unusable encryption keys, 409 above the limit
 */
export async function addDevice(
  db: Database,
  caller: Caller,
  input: PushDeviceInput,
  { name, loopback }: { name: string; loopback: boolean },
): Promise<DeviceRow> {
  if (!isPushService(input.endpoint, loopback)) throw invalid("push_service_unknown", REFUSED);
  const keys = {
    p256dh: Buffer.from(input.keys.p256dh, "base64url"),
    auth: Buffer.from(input.keys.auth, "base64url"),
  };
  if (!usable(keys)) throw invalid("invalid_input", "Неверный ключ браузера");
  const { userId, sessionId } = caller;
  return db.transaction(async (tx) => {
    // The lock makes two simultaneous additions count one after the other.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    const others = await tx
      .select({ id: pushDevices.id })
      .from(pushDevices)
      .where(and(eq(pushDevices.userId, userId), ne(pushDevices.endpoint, input.endpoint)));
    if (others.length >= PUSH_DEVICES_LIMIT)
      throw conflict("too_many_push_devices", `Не больше ${PUSH_DEVICES_LIMIT} браузеров: уберите лишние`);
    const said = { userId, sessionId, ...keys, name, seenAt: new Date() };
    const [row] = await tx
      .insert(pushDevices)
      .values({ endpoint: input.endpoint, ...said })
      .onConflictDoUpdate({ target: pushDevices.endpoint, set: said })
      .returning();
    return row!;
  });
}

/** @throws Problem 404 when there is no such browser of the user's own */
export async function findDevice(db: Tx, userId: string, id: string): Promise<DeviceRow> {
  const [row] = await db.select().from(pushDevices).where(own(userId, id));
  if (row === undefined) throw unknown();
  return row;
}

/** @throws Problem 404 as `findDevice` */
export async function removeDevice(db: Tx, userId: string, id: string): Promise<void> {
  const gone = await db.delete(pushDevices).where(own(userId, id)).returning({ id: pushDevices.id });
  if (gone.length === 0) throw unknown();
}

const own = (userId: string, id: string) => and(eq(pushDevices.id, id), eq(pushDevices.userId, userId));
const unknown = () => notFound("Браузер не найден или уже отключён", "push_device_not_found");

function usable(keys: { p256dh: Buffer; auth: Buffer }): boolean {
  if (keys.p256dh.length !== 65 || keys.auth.length !== 16) return false;
  try {
    encryptMessage(Buffer.alloc(0), keys);
    return true;
  } catch {
    return false;
  }
}
