/**
 * Determines the administrator of a new installation (docs/decisions/016-installation-administrator-and-host-names.md): the address in the
 * settings; else the first account that is confirmed on this machine; else the user who enters the code that the server prints. The demo
 * account never qualifies.
 */

import { timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { AdministratorState } from "#contract/organizations/installation.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden } from "#server/platform/errors.ts";
import { isThisMachine } from "#server/platform/network/public-address.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { audit } from "./audit.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";
import { administrationOf } from "./super-admin.ts";

export type InstallationSettings = Pick<Config, "superAdminEmail" | "publicUrl" | "host" | "smtpUrl">;

/** Key of the PostgreSQL advisory lock under which the first administrator is appointed. */
const FIRST_LOCK = 727_460_021;

/**
 * Whether confirming an account proves access to this machine: the server is reachable only locally, or the link is printed where it runs.
 */
const isConfirmedHere = ({ publicUrl, host, smtpUrl }: InstallationSettings): boolean =>
  isThisMachine(new URL(publicUrl).hostname) && (isThisMachine(host) || smtpUrl === null);

export async function administratorState(tx: Tx, settings: InstallationSettings): Promise<AdministratorState> {
  if (await hasAdministrator(tx)) return "there";
  if (settings.superAdminEmail !== null) return "named";
  return isConfirmedHere(settings) ? "first" : "code";
}

async function hasAdministrator(tx: Tx): Promise<boolean> {
  const [one] = await tx.select({ id: users.id }).from(users).where(administrationOf("users").superAdmin).limit(1);
  return one !== undefined;
}

/** Whether the account that this transaction confirms becomes the administrator of the installation. */
export async function becomesAdministrator(tx: Tx, settings: InstallationSettings, email: string): Promise<boolean> {
  if (settings.superAdminEmail !== null) return email === settings.superAdminEmail;
  if (!isConfirmedHere(settings)) return false;
  return isFree(tx);
}

/** Whether no administrator exists. The lock makes the second of two simultaneous callers see the first one's result. */
async function isFree(tx: Tx): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_LOCK})`);
  return !(await hasAdministrator(tx));
}

/**
 * Derives the installation's code from the master key: it is stored nowhere, and all processes print the same one. The code is useless once
 * there is an administrator.
 */
export function installationCode(vault: Pick<Vault, "derive">): string {
  const signs = [...vault.derive("installation code").subarray(0, 12)].map((byte) => SIGNS[byte % SIGNS.length]!);
  return [signs.slice(0, 4), signs.slice(4, 8), signs.slice(8)].map((part) => part.join("")).join("-");
}

/** 32 characters that do not look alike. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

const bare = (code: string): Buffer => Buffer.from(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ""));

/** @throws Problem 403 for a wrong code and for the demo account; 409 when an administrator exists or the settings name one */
export async function claimInstallation(
  { db, config, vault }: { db: Database; config: InstallationSettings; vault: Pick<Vault, "derive"> },
  userId: string,
  code: string,
): Promise<void> {
  const [given, right] = [bare(code), bare(installationCode(vault))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw forbidden("wrong_code", "Это не тот код. Он напечатан там, где запущен сервер.");
  }
  await db.transaction(async (tx) => {
    if (config.superAdminEmail !== null) {
      throw conflict("administrator_named", "Администратором станет тот, чья почта названа в настройках установки");
    }
    if (!(await isFree(tx))) throw conflict("administrator_there", "У этой установки уже есть администратор");
    const [user] = await tx.select().from(users).where(eq(users.id, userId));
    if (user?.telegramId === DEMO_TELEGRAM_ID) {
      throw forbidden("demo_account", "Демо-аккаунт не управляет установкой: зарегистрируйте свой");
    }
    await tx.update(users).set({ superAdmin: true }).where(eq(users.id, userId));
    await audit(tx, { action: "installation-claimed", userId });
  });
}
