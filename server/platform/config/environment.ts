/** Allowed values of each environment variable; `config.ts` interprets them and checks combinations. */
import * as z from "zod";
import { certificatesIn } from "./certificates.ts";

z.config(z.locales.ru());

const flag = z.enum(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true");
/** One sentence for whatever is wrong with a number, because the library's own ones speak of NaN. */
const numberWhere = (isFit: (value: number) => boolean, said: string) => z.coerce.number(said).refine(isFit, said);
const whole = (min: number, max: number) =>
  numberWhere(
    (value) => Number.isInteger(value) && value >= min && value <= max,
    `ожидалось целое число от ${min} до ${max}`,
  );
const url = (protocols: string[]) =>
  z.string().refine(
    (value) => {
      try {
        return protocols.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    `ожидался адрес вида ${protocols.map((protocol) => `${protocol}//…`).join(" или ")}`,
  );

const pairs = z.string().refine((value) => {
  try {
    decodeURIComponent(value);
    return value === "" || value.split(",").every((pair) => /^\s*[^=\s]+\s*=/.test(pair));
  } catch {
    return false;
  }
}, "ожидался список вида имя=значение,имя=значение (особые знаки — в виде %2C)");

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/`;
}

function holdsCertificates(text: string): boolean {
  try {
    return certificatesIn(text).length > 0;
  } catch {
    return false;
  }
}

/** Whether the value is a path-style bucket URL. It must not contain a key, because URLs end up in logs and error messages. */
function isBucket(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password, hash, pathname, searchParams } = new URL(value);
  const [bucket = "", ...folders] = pathname.replace(/\/$/, "").slice(1).split("/");
  return (
    username + password + hash === "" &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    folders.every((folder) => /^[\w-]{1,100}$/.test(folder)) &&
    [...searchParams].every(([name, region]) => name === "region" && /^[\w-]{1,60}$/.test(region))
  );
}

/** The settings of an installation; docs/configuration.md and .env.example list exactly these. */
export const SETTINGS = {
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  ROLE: z.enum(["all", "web", "worker"]).default("all"),
  HOST: z.string().min(1).default("localhost"),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: url(["http:", "https:"])
    .refine(isOrigin, "ожидался адрес без пути, например https://twins.example.ru")
    .optional(),
  ALLOWED_HOSTS: z
    .string()
    .refine(
      (listed) => listed.split(",").every((host) => /^\s*[a-z0-9_]([a-z0-9._-]*[a-z0-9])?\s*$/i.test(host)),
      "ожидались имена через запятую, без протокола и порта, например app,twins.example.ru",
    )
    .optional(),
  TRUST_PROXY: flag.optional(),
  STOP_SECONDS: whole(1, 600).default(15),
  DATA_DIR: z.string().min(1).default("data"),
  DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
  DATABASE_DIRECT_URL: url(["postgres:", "postgresql:"]).optional(),
  DATABASE_REQUEST_URL: url(["postgres:", "postgresql:"]).optional(),
  DATABASE_POOL: whole(2, 200).default(10),
  DEMO: flag.optional(),
  MASTER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, "ожидались 32 байта в base64 (openssl rand -base64 32)")
    .optional(),
  MASTER_KEY_PREVIOUS: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/, "ожидались 32 байта в base64, несколько — через запятую")
    .optional(),
  LLM_BASE_URL: url(["http:", "https:"]).optional(),
  LLM_API_KEY: z.string().min(1).optional(),
  LLM_MODEL: z.string().min(1).optional(),
  LLM_TIMEOUT_SECONDS: whole(1, 600).default(120),
  MODEL_DAILY_TOKENS: whole(50_000, 1_000_000_000_000).default(3_000_000),
  EMBEDDING_BASE_URL: url(["http:", "https:"]).optional(),
  EMBEDDING_API_KEY: z.string().min(1).optional(),
  EMBEDDING_MODEL: z.string().min(1).max(200).optional(),
  MODEL_PATH: z.string().min(1).optional(),
  EMBEDDING_MODEL_PATH: z.string().min(1).optional(),
  RERANKER_MODEL_PATH: z.string().min(1).optional(),
  MODEL_HUB_URL: url(["http:", "https:"])
    .refine(isOrigin, "ожидался адрес без пути, например https://huggingface.co")
    .default("https://huggingface.co"),
  ONLY_LOCAL_MODELS: flag.optional(),
  MODEL_CA_FILE: z.string().min(1).optional(),
  LOCAL_MODEL_HOSTS: z.string().default("localhost,127.0.0.1,::1"),
  SMTP_URL: url(["smtp:", "smtps:"]).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^@\r\n]+@[^@\r\n]+$/, "ожидался адрес почты, можно с именем: Имя <почта@example.ru>")
    .default("Цифровые двойники <no-reply@localhost>"),
  TELEGRAM_BOT_NAME: z
    .string()
    .regex(/^\w{5,64}$/, "ожидалось имя бота без @")
    .optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, "ожидался токен бота вида 123456:ABC…")
    .optional(),
  WHATSAPP_APP_SECRET: z.string().min(1).optional(),
  MAX_CA: z.string().refine(holdsCertificates, "ожидались корневые сертификаты в формате PEM").optional(),
  AMOCRM_CLIENT_ID: z.string().min(1).max(200).optional(),
  AMOCRM_CLIENT_SECRET: z.string().min(1).max(200).optional(),
  BITRIX24_CLIENT_ID: z.string().min(1).max(200).optional(),
  BITRIX24_CLIENT_SECRET: z.string().min(1).max(200).optional(),
  EMAIL_IMAP_URL: url(["imap:", "imaps:"]).optional(),
  EMAIL_SMTP_URL: url(["smtp:", "smtps:"]).optional(),
  OPERATOR_NAME: z.string().min(1).max(300).optional(),
  OPERATOR_CONTACT: z.string().min(1).max(300).optional(),
  SUPER_ADMIN_EMAIL: z.email("ожидался адрес почты").optional(),
  REQUESTS_PER_MINUTE: whole(0, 1_000_000).default(1200),
  ORGANIZATION_DISK_MB: whole(1, 100_000_000).default(10_240),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/, "ожидались не меньше 16 латинских букв и цифр (openssl rand -hex 24)")
    .optional(),
  STORAGE_URL: url(["https:", "http:"])
    .refine(isBucket, "ожидался адрес вида https://storage.example.ru/бакет?region=…, без ключа в нём")
    .optional(),
  STORAGE_KEY: z
    .string()
    .regex(/^[\w.:/+=-]{1,200}$/, "ожидался идентификатор ключа доступа")
    .optional(),
  STORAGE_SECRET: z.string().min(8, "ожидался секретный ключ не короче 8 знаков").max(500).optional(),
  BACKUP_FOLDER: z.string().min(1).optional(),
  BACKUP_PASSPHRASE: z.string().min(12, "ожидалась фраза не короче 12 знаков").optional(),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[0-9a-z]{50,}$/, "ожидался открытый ключ age (age1…)")
    .optional(),
  BACKUP_IDENTITY: z
    .string()
    .regex(/^AGE-SECRET-KEY-[0-9A-Z-]{50,}$/, "ожидался закрытый ключ age (AGE-SECRET-KEY-…)")
    .optional(),
  ALERT_EMAIL: z.email("ожидался адрес почты").optional(),
  ALERT_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, "ожидался токен бота вида 123456:ABC…")
    .optional(),
  ALERT_TELEGRAM_CHAT: z
    .string()
    .regex(/^(?:-?\d{1,20}|@\w{4,64})$/, "ожидался номер чата (для группы — с минусом) или @имя канала")
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(["http:", "https:"]).optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
};

/** Standard variables of OpenTelemetry, described in its specification. */
const OF_OPENTELEMETRY = {
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(["http:", "https:"]).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default(""),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/json", "ожидалось http/json: другие способы отправки трасс не поддерживаются")
    .default("http/json"),
  OTEL_SERVICE_NAME: z.string().min(1).max(200).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.default(""),
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: numberWhere((value) => value >= 0 && value <= 1, "ожидалось число от 0 до 1").default(1),
  OTEL_SDK_DISABLED: flag.optional(),
};

/** Addresses of test servers that replace the platforms. */
const STAND_INS = {
  TELEGRAM_API_ROOT: url(["http:", "https:"]).default("https://api.telegram.org"),
  WHATSAPP_GRAPH_URL: url(["http:", "https:"]).default("https://graph.facebook.com"),
  SLACK_API_URL: url(["http:", "https:"]).default("https://slack.com/api"),
  DISCORD_API_URL: url(["http:", "https:"]).default("https://discord.com/api"),
  MAX_API_URL: url(["http:", "https:"]).default("https://platform-api2.max.ru"),
  VK_API_URL: url(["http:", "https:"]).default("https://api.vk.ru/method"),
  AMOCRM_URL: url(["http:", "https:"]).refine(isOrigin, "ожидался адрес без пути").optional(),
  BITRIX24_URL: url(["http:", "https:"]).refine(isOrigin, "ожидался адрес без пути").optional(),
  TELEGRAM_DC: z
    .string()
    .regex(
      /^127(?:\.\d{1,3}){3}:\d{1,5}$/,
      "ожидался адрес на этой машине вида 127.0.0.1:порт: он нужен только для проверок",
    )
    .optional(),
  TELEGRAM_DC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, "ожидался открытый ключ RSA (PKCS#1 DER в base64)")
    .optional(),
};

export const Environment = z.object({ ...SETTINGS, ...OF_OPENTELEMETRY, ...STAND_INS });
