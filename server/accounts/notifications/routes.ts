import type { FastifyInstance } from "fastify";
import { notificationsApi as api } from "#contract/organizations/notifications.ts";
import { deviceName } from "#server/accounts/mail/device-name.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { notFound, upstream } from "#server/platform/errors.ts";
import { route } from "#server/platform/http/route.ts";
import { addDevice, deviceJson, findDevice, listDevices, removeDevice } from "./devices.ts";
import { confirmedAddress, type NotifyDeps } from "./notify-member.ts";
import { readPushKeys } from "./push-keys.ts";
import { ensureSettings, readSettings, saveSettings } from "./settings.ts";
import { TRY_MESSAGE } from "./texts.ts";
import { sendPush } from "./web-push/push-service.ts";

const REGISTRATIONS = { max: 30, timeWindow: "1 minute" };
const TRIES = { max: 5, timeWindow: "1 minute" };

export function mountNotificationRoutes(app: FastifyInstance, deps: NotifyDeps): void {
  const { db, vault, mailer, log, config } = deps;

  route(app, api.get, async ({ caller }) => ({
    settings: await readSettings(db, caller),
    devices: (await listDevices(db, caller.userId)).map((device) => deviceJson(device, caller)),
    publicKey: (await readPushKeys(db, vault)).publicKey,
    mailTo: mailer.way === "mail" ? await confirmedAddress(db, caller.userId) : null,
  }));

  route(app, api.save, async ({ caller, input }) => {
    await saveSettings(db, caller, input);
    return input;
  });

  route(
    app,
    api.addDevice,
    async ({ caller, input, request }) => {
      const name = deviceName(request.headers["user-agent"], true);
      const device = await addDevice(db, caller, input, { name, loopback: config.loopbackAddresses });
      await asTenant(db, caller, (tx) => ensureSettings(tx, caller));
      return deviceJson(device, caller);
    },
    { rateLimit: REGISTRATIONS },
  );

  route(app, api.removeDevice, ({ caller, params }) => removeDevice(db, caller.userId, params.id));

  route(
    app,
    api.tryDevice,
    async ({ caller, params }) => {
      const device = await findDevice(db, caller.userId, params.id);
      const keys = await readPushKeys(db, vault);
      const sending = { keys, contact: config.publicUrl, loopback: config.loopbackAddresses };
      const result = await sendPush(device, TRY_MESSAGE, sending).catch((error: unknown) => {
        log.info({ err: error }, "a trial push message was not taken");
        throw upstream("push_failed", "Служба уведомлений браузера не ответила. Попробуйте ещё раз", { cause: error });
      });
      if (result === "sent") return { success: true as const };
      await removeDevice(db, caller.userId, device.id);
      throw notFound("Браузер больше не принимает уведомления: включите их заново", "push_device_not_found");
    },
    { rateLimit: TRIES },
  );
}
