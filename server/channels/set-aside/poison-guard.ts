/**
 * Deliveries that cannot be taken in. A platform sends one again and again, some send nothing else meanwhile: after a few
 * times it is set aside for the owner, and the platform is told that it has arrived.
 */
import { createHash } from "node:crypto";
import { type Database, isDatabaseAway } from "#server/db/database.ts";
import { Problem } from "#server/errors.ts";
import { ChannelTrouble } from "../channel.ts";
import type { ReceivingIntegration } from "../inbox.ts";
import { TRIES } from "./attempts.ts";
import { setAside } from "./set-aside-events.ts";

const REMEMBERED = 1000;

export interface PoisonGuard {
  /** Runs `take`. @throws what it throws, while the delivery may come once more */
  guard(integration: ReceivingIntegration, raw: Buffer, body: unknown, take: () => Promise<void>): Promise<void>;
}

export function poisonGuard(db: Database): PoisonGuard {
  /** Times by delivery, the latest last. */
  const failures = new Map<string, number>();
  return {
    async guard(integration, raw, body, take) {
      try {
        await take();
      } catch (error) {
        if (error instanceof Problem || error instanceof ChannelTrouble || isDatabaseAway(error)) throw error;
        const name = `delivery ${createHash("sha256").update(integration.id).update(raw).digest("hex").slice(0, 32)}`;
        const times = (failures.get(name) ?? 0) + 1;
        failures.delete(name);
        if (times < TRIES) {
          failures.set(name, times);
          if (failures.size > REMEMBERED) failures.delete(failures.keys().next().value!);
          throw error;
        }
        await setAside(db, integration, {
          name,
          title: "Сообщение",
          reason: "Его не удалось прочитать",
          raw: body,
        });
      }
    },
  };
}
