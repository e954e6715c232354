import { expect, test } from "vitest";
import { SETTINGS } from "./environment.ts";
import { misspeltSettings } from "./misspelt.ts";

const found = (...names: string[]) =>
  misspeltSettings(Object.fromEntries(names.map((name) => [name, "x"])), Object.keys(SETTINGS)).map(
    ({ given, meant }) => `${given} → ${meant}`,
  );

test("a setting with a missing, surplus, wrong or swapped letter is named with the one that was meant", () => {
  expect(
    found("DATABSE_URL", "BACKUP_FODLER", "SMTP_URLL", "STORAGE-URL", "STORAGE_URI", "MASTER_KEY_FLIE", "database_url"),
  ).toEqual([
    "DATABSE_URL → DATABASE_URL",
    "BACKUP_FODLER → BACKUP_FOLDER",
    "SMTP_URLL → SMTP_URL",
    "STORAGE_URI → STORAGE_URL",
    "MASTER_KEY_FLIE → MASTER_KEY_FILE",
    "database_url → DATABASE_URL",
  ]);
});

test("settings, and variables of other programs, are no misspelt ones", () => {
  expect(found(...Object.keys(SETTINGS), "MASTER_KEY_FILE")).toEqual([]);
  const others = [
    "PATH",
    "HOME",
    "HOSTNAME",
    "LANG",
    "POST",
    "AMQP_URL",
    "HTTP_PROXY",
    "NO_PROXY",
    "NODE_OPTIONS",
    "TZ",
  ];
  expect(
    found(...others, "npm_config_loglevel", "XDG_DATA_DIRS", "REDIS_URL", "NODE_COMPILE_CACHE", "HOST_IP"),
  ).toEqual([]);
});
