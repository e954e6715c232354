import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installPackage, mayInstallPackages } from "./apt.mjs";

/**
 * The path of a dovecot for the tests of the e-mail channel: the one DOVECOT_PATH names, the machine's own, or Debian's
 * package (installed when we may; its own service is not needed and not configured).
 * @returns {Promise<string | undefined>} undefined when there is none and none could be installed
 */
export async function ensureDovecot() {
  const present = findDovecot();
  if (present) return present;
  return mayInstallPackages() && (await installPackage("dovecot-imapd")) ? findDovecot() : undefined;
}

/** Debian keeps it off the PATH of ordinary users. */
function findDovecot() {
  const given = process.env.DOVECOT_PATH;
  if (given) return given;
  for (const path of ["/usr/sbin/dovecot", "/usr/local/sbin/dovecot", "/opt/homebrew/sbin/dovecot"]) {
    if (existsSync(path)) return path;
  }
  return spawnSync("which", ["dovecot"], { encoding: "utf8" }).stdout?.trim() || undefined;
}
