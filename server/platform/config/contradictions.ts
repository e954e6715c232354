import type * as z from "zod";
import { mayBePublic } from "#server/platform/network/public-address.ts";
import type { Environment } from "./environment.ts";

/** Finds settings that contradict each other or lack a required one; returns a Russian sentence for each. */
export function contradictionsIn(env: z.infer<typeof Environment>): string[] {
  const production = env.NODE_ENV === "production";
  const wrong: string[] = [];
  if (production && env.DEMO === true) wrong.push("DEMO: демонстрационный режим невозможен при NODE_ENV=production");
  if ((env.DATABASE_URL !== undefined || production) && env.MASTER_KEY === undefined) {
    wrong.push("MASTER_KEY: нужен для PostgreSQL и при NODE_ENV=production (openssl rand -base64 32)");
  }
  if (production) {
    const address = env.PUBLIC_URL === undefined ? null : new URL(env.PUBLIC_URL);
    if (address?.protocol !== "https:" || !mayBePublic(address.hostname)) {
      wrong.push("PUBLIC_URL: при NODE_ENV=production нужен внешний адрес по https, например https://twins.example.ru");
    }
    if (env.SMTP_URL === undefined) {
      wrong.push("SMTP_URL: нужен при NODE_ENV=production: одноразовые ссылки уходят только письмами, не в журнал");
    }
  }
  if (env.ROLE !== "all" && env.DATABASE_URL === undefined) {
    wrong.push(`ROLE: ${env.ROLE} возможен только с PostgreSQL (DATABASE_URL): встроенную базу открывает один процесс`);
  }
  for (const name of ["DATABASE_REQUEST_URL", "DATABASE_DIRECT_URL"] as const) {
    if (env[name] !== undefined && env.DATABASE_URL === undefined) wrong.push(`DATABASE_URL: нужен вместе с ${name}`);
  }
  if (env.MASTER_KEY_PREVIOUS !== undefined && env.MASTER_KEY === undefined) {
    wrong.push("MASTER_KEY: нужен вместе с MASTER_KEY_PREVIOUS");
  }
  if (env.LLM_BASE_URL !== undefined && env.LLM_MODEL === undefined)
    wrong.push("LLM_MODEL: нужен вместе с LLM_BASE_URL");
  if (env.LLM_BASE_URL === undefined && env.LLM_API_KEY !== undefined)
    wrong.push("LLM_BASE_URL: нужен вместе с LLM_API_KEY");
  if (env.EMBEDDING_BASE_URL !== undefined && env.EMBEDDING_MODEL === undefined)
    wrong.push("EMBEDDING_MODEL: нужен вместе с EMBEDDING_BASE_URL");
  if (env.EMBEDDING_BASE_URL === undefined && (env.EMBEDDING_API_KEY ?? env.EMBEDDING_MODEL) !== undefined)
    wrong.push("EMBEDDING_BASE_URL: нужен вместе с EMBEDDING_API_KEY и EMBEDDING_MODEL");
  if ((env.TELEGRAM_BOT_NAME === undefined) !== (env.TELEGRAM_BOT_TOKEN === undefined)) {
    wrong.push("TELEGRAM_BOT_NAME и TELEGRAM_BOT_TOKEN: нужны оба или ни одного");
  }
  if ((env.AMOCRM_CLIENT_ID === undefined) !== (env.AMOCRM_CLIENT_SECRET === undefined)) {
    wrong.push("AMOCRM_CLIENT_ID и AMOCRM_CLIENT_SECRET: нужны оба или ни одного");
  }
  if ((env.BITRIX24_CLIENT_ID === undefined) !== (env.BITRIX24_CLIENT_SECRET === undefined)) {
    wrong.push("BITRIX24_CLIENT_ID и BITRIX24_CLIENT_SECRET: нужны оба или ни одного");
  }
  if ((env.EMAIL_IMAP_URL === undefined) !== (env.EMAIL_SMTP_URL === undefined)) {
    wrong.push("EMAIL_IMAP_URL и EMAIL_SMTP_URL: нужны оба или ни одного");
  }
  if ((env.ALERT_TELEGRAM_TOKEN === undefined) !== (env.ALERT_TELEGRAM_CHAT === undefined)) {
    wrong.push("ALERT_TELEGRAM_TOKEN и ALERT_TELEGRAM_CHAT: нужны оба или ни одного");
  }
  if (env.ALERT_EMAIL !== undefined && env.SMTP_URL === undefined && !production) {
    wrong.push("SMTP_URL: нужен вместе с ALERT_EMAIL");
  }
  if ((env.OPERATOR_NAME === undefined) !== (env.OPERATOR_CONTACT === undefined)) {
    wrong.push("OPERATOR_NAME и OPERATOR_CONTACT: нужны оба или ни одного");
  }
  if (env.BACKUP_FOLDER !== undefined && (env.BACKUP_PASSPHRASE ?? env.BACKUP_RECIPIENT) === undefined) {
    wrong.push("BACKUP_PASSPHRASE или BACKUP_RECIPIENT: нужны вместе с BACKUP_FOLDER, копии шифруются");
  }
  if (env.BACKUP_PASSPHRASE !== undefined && env.BACKUP_RECIPIENT !== undefined) {
    wrong.push("BACKUP_PASSPHRASE и BACKUP_RECIPIENT: задайте что-то одно");
  }
  if (env.STORAGE_URL !== undefined && (env.STORAGE_KEY ?? env.STORAGE_SECRET) === undefined) {
    wrong.push("STORAGE_KEY и STORAGE_SECRET: нужны вместе с STORAGE_URL");
  } else if ((env.STORAGE_KEY === undefined) !== (env.STORAGE_SECRET === undefined)) {
    wrong.push("STORAGE_KEY и STORAGE_SECRET: нужны оба или ни одного");
  }
  if (env.STORAGE_URL === undefined && env.STORAGE_KEY !== undefined)
    wrong.push("STORAGE_URL: нужен вместе с STORAGE_KEY и STORAGE_SECRET");
  if (env.STORAGE_URL?.startsWith("http:") === true && mayBePublic(new URL(env.STORAGE_URL).hostname)) {
    wrong.push("STORAGE_URL: вне своей сети файлы уходят только по https");
  }
  return wrong;
}
