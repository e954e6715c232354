/** The only reader of process.env. An invalid value stops the start with a sentence that names the variable. */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import * as z from "zod";
import { mayBePublic } from "./network/public-address.ts";

z.config(z.locales.ru());

const flag = z.enum(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true");
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
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

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/`;
}

const Environment = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  HOST: z.string().min(1).default("localhost"),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: url(["http:", "https:"])
    .refine(isOrigin, "ожидался адрес без пути, например https://twins.example.ru")
    .optional(),
  TRUST_PROXY: flag.optional(),
  DATA_DIR: z.string().min(1).default("data"),
  DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
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
  MODEL_TWIN_DAILY_TOKENS: whole(50_000, 1_000_000_000_000).optional(),
  EMBEDDING_BASE_URL: url(["http:", "https:"]).optional(),
  EMBEDDING_API_KEY: z.string().min(1).optional(),
  EMBEDDING_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDING_PREFIXES: z.enum(["auto", "none"]).default("auto"),
  EMBEDDING_TIMEOUT_MS: whole(20, 10_000).default(300),
  EMBEDDING_DAILY_TOKENS: whole(1000, 1_000_000_000).default(5_000_000),
  MODEL_PATH: z.string().min(1).optional(),
  EMBEDDING_MODEL_PATH: z.string().min(1).optional(),
  RERANKER_MODEL_PATH: z.string().min(1).optional(),
  RERANKER_TIMEOUT_MS: whole(20, 30_000).default(1500),
  MODEL_THREADS: whole(1, 256).optional(),
  MODEL_CONTEXT: whole(1024, 131_072).default(4096),
  MODEL_HUB_URL: url(["http:", "https:"])
    .refine(isOrigin, "ожидался адрес без пути, например https://huggingface.co")
    .default("https://huggingface.co"),
  MODEL_HUB_FILE_HOSTS: z.string().default("hf.co,huggingface.co"),
  MODEL_HUB_PROXY: url(["http:", "https:"]).optional(),
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
  TELEGRAM_API_ROOT: url(["http:", "https:"]).default("https://api.telegram.org"),
  WHATSAPP_GRAPH_URL: url(["http:", "https:"]).default("https://graph.facebook.com"),
  WHATSAPP_APP_SECRET: z.string().min(1).optional(),
  SLACK_API_URL: url(["http:", "https:"]).default("https://slack.com/api"),
  DISCORD_API_URL: url(["http:", "https:"]).default("https://discord.com/api"),
  EMAIL_IMAP_URL: url(["imap:", "imaps:"]).optional(),
  EMAIL_SMTP_URL: url(["smtp:", "smtps:"]).optional(),
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
  OPERATOR_NAME: z.string().min(1).max(300).optional(),
  OPERATOR_CONTACT: z.string().min(1).max(300).optional(),
  SUPER_ADMIN_EMAIL: z.email("ожидался адрес почты").optional(),
  REQUESTS_PER_MINUTE: whole(0, 1_000_000).default(1200),
  ORGANIZATION_DISK_MB: whole(1, 100_000_000).default(10_240),
  DISK_FREE_FLOOR_MB: whole(0, 100_000_000).optional(),
  INDEX_CACHE_MB: whole(16, 65_536).default(256),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export interface TelegramDc {
  host: string;
  port: number;
  /** RSA public key, PKCS#1 PEM; null: Telegram's own key. */
  publicKey: string | null;
}

export interface EmbeddingConfig {
  /** Base URL with the version and without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** auto: the prefix that the model's family expects is added to each text; none: the endpoint adds it itself. */
  prefixes?: "auto" | "none";
  /** How long a search waits for the question's vector before it goes by words alone, ms. */
  timeoutMs: number;
  /** Maximum number of embedding tokens that one twin's training may cost per day (Moscow time). */
  dailyTokens: number;
}

/** How the server's model process runs local models (docs/decisions/051). */
export interface ModelRunning {
  /** null: all physical cores but one. */
  threads: number | null;
  /** Size of the generator's context, tokens. */
  contextTokens: number;
  /** Time limit for a complete reply, ms. */
  timeoutSeconds: number;
  /** How long a search waits for the question's vector before it goes by words alone, ms. */
  embeddingTimeoutMs: number;
  /** How long a search waits for the reranker before it keeps the original order, ms. */
  rerankerTimeoutMs: number;
}

/** Model files that the settings name; paths are absolute. */
export interface ModelFiles extends ModelRunning {
  /** Model that writes replies when no endpoint is set; null: none. */
  generator: string | null;
  /** Model that computes embeddings when no endpoint is set; null: none. */
  embedder: string | null;
  /** Model that reranks search results; null: none. */
  reranker: string | null;
}

/** Where models are downloaded from (docs/decisions/062). */
export interface ModelHubConfig {
  /** Base URL of Hugging Face or a mirror, without a trailing slash. */
  origin: string;
  /** Hosts, including their subdomains, that the hub may redirect to for a file's bytes. The hub's own host is always allowed. */
  fileHosts: readonly string[];
  /** URL of a proxy; null: HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply, if set. */
  proxy: string | null;
}

/** Limits of language model tokens per day (Moscow time). */
export interface ModelLimits {
  /** Limit for all twins of an organisation together; its administrator may set a lower one. */
  organization: number;
  /** Limit for one twin until its owner sets another. */
  twin: number;
}

export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** Origin without a trailing slash; links in emails and cookie rules are derived from it. */
  publicUrl: string;
  trustProxy: boolean;
  dataDir: string;
  /** null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** Connection string for requests; null: the server creates a role for them. */
  databaseRequestUrl: string | null;
  /** Maximum number of connections, for requests and the platform together. */
  databasePool: number;
  demo: boolean;
  /** 32 bytes; null: a key is generated in the data folder (embedded database only). */
  masterKey: Buffer | null;
  /** Former keys, which still open values that were sealed with them. */
  otherMasterKeys: readonly Buffer[];
  llm: { baseUrl: string; apiKey: string | null; model: string; timeoutSeconds: number } | null;
  modelLimits: ModelLimits;
  /** null: no embeddings, search goes by words alone. */
  embedding: EmbeddingConfig | null;
  /** null: the settings name no local model. */
  modelFiles: ModelFiles | null;
  /** How models that are chosen on the screen «Модель» are run. */
  modelRunning: ModelRunning;
  modelHub: ModelHubConfig;
  /** Hosts, without ports, whose models may serve organisations with the rule «только локальная модель» (docs/decisions/043). */
  localModelHosts: readonly string[];
  /** Whether only these hosts' models may be used for everybody, whatever organisations have set. */
  onlyLocalModels: boolean;
  /** Absolute path of additional root certificates (PEM) for model servers; null: only the usual ones are trusted. */
  modelCaFile: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  telegramBot: { name: string; token: string } | null;
  /** Base URL of the Bot API, without a trailing slash. */
  telegramApiRoot: string;
  /** Base URL of Meta's Graph API, without a trailing slash. */
  whatsappGraphUrl: string;
  /** Secret of the installation's own app at Meta, for integrations that name no other app. */
  whatsappAppSecret: string | null;
  /** Base URL of Slack's Web API, without a trailing slash. */
  slackApiUrl: string;
  /** Base URL of Discord's REST API, without a trailing slash and version. */
  discordApiUrl: string;
  /** Mail servers for all mailboxes of the email channel; null: they are discovered from each mailbox's domain. */
  emailServers: { imap: string; smtp: string } | null;
  /** A data centre on this machine that replaces Telegram's for user accounts, for tests. */
  telegramDc: TelegramDc | null;
  superAdminEmail: string | null;
  /** The operator responsible for personal data, whom the legal texts name; null: the texts say that the settings name nobody. */
  operator: { name: string; contact: string } | null;
  /** Calls that one IP address may make per minute; 0: no limit. */
  requestsPerMinute: number;
  indexCacheBytes: number;
  /** Bytes that one organisation may store: uploads, documents and search indexes together. */
  organizationBytes: number;
  /** Bytes that uploads must leave free on the disk; null: a twentieth of the disk, at least a gigabyte. */
  diskFloorBytes: number | null;
  logLevel: string;
  /** Whether webhooks may be sent to this machine; only tests set it. */
  loopbackWebhooks: boolean;
}

const hostsOf = (listed: string): string[] =>
  listed
    .split(",")
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean);

/** The usual environment variables for proxies, passed to Node's agents as `proxyEnv`. */
export function proxyEnvironment(): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  const found = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return Object.fromEntries(found);
}

function telegramDc(address: string, key: string | undefined): TelegramDc {
  const [host, port] = address.split(":") as [string, string];
  const pem = key && `-----BEGIN RSA PUBLIC KEY-----\n${key}\n-----END RSA PUBLIC KEY-----`;
  return { host, port: Number(port), publicKey: pem ?? null };
}

/** The environment of the process; variables that are not set are taken from a file `.env` in the working folder. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/**
 * The environment for worker threads. It contains no secrets, because the threads read what strangers send, and not the variable that
 * `node --watch` sets, because a thread would then post messages about its modules where its results are expected.
 */
export function threadEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

const modelRunning = (env: z.infer<typeof Environment>): ModelRunning => ({
  threads: env.MODEL_THREADS ?? null,
  contextTokens: env.MODEL_CONTEXT,
  timeoutSeconds: env.LLM_TIMEOUT_SECONDS,
  embeddingTimeoutMs: env.EMBEDDING_TIMEOUT_MS,
  rerankerTimeoutMs: env.RERANKER_TIMEOUT_MS,
});

function modelFiles(env: z.infer<typeof Environment>): ModelFiles | null {
  const { MODEL_PATH, EMBEDDING_MODEL_PATH, RERANKER_MODEL_PATH } = env;
  if ((MODEL_PATH ?? EMBEDDING_MODEL_PATH ?? RERANKER_MODEL_PATH) === undefined) return null;
  const absolute = (path: string | undefined) => (path === undefined ? null : resolve(path));
  return {
    generator: absolute(MODEL_PATH),
    embedder: absolute(EMBEDDING_MODEL_PATH),
    reranker: absolute(RERANKER_MODEL_PATH),
    ...modelRunning(env),
  };
}

/** Name of the embedding model as stored with vectors: the endpoint's model or the file's name; null: there is none. */
export function embeddingModelOf({ embedding, modelFiles }: Pick<Config, "embedding" | "modelFiles">): string | null {
  if (embedding !== null) return embedding.model;
  const path = modelFiles?.embedder ?? null;
  return path && `file:${basename(path)}`.slice(0, 200);
}

/** Thrown by `readConfig`; the message lists all invalid values, one per line. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment. Empty values count as absent.
 * @throws ConfigError naming each variable that is wrong.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }
  const env = parsed.data;
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
  if (env.DATABASE_REQUEST_URL !== undefined && env.DATABASE_URL === undefined)
    wrong.push("DATABASE_URL: нужен вместе с DATABASE_REQUEST_URL");
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
  if ((env.EMAIL_IMAP_URL === undefined) !== (env.EMAIL_SMTP_URL === undefined)) {
    wrong.push("EMAIL_IMAP_URL и EMAIL_SMTP_URL: нужны оба или ни одного");
  }
  if ((env.OPERATOR_NAME === undefined) !== (env.OPERATOR_CONTACT === undefined)) {
    wrong.push("OPERATOR_NAME и OPERATOR_CONTACT: нужны оба или ни одного");
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));

  return {
    production,
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, ""),
    trustProxy: env.TRUST_PROXY ?? false,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseRequestUrl: env.DATABASE_REQUEST_URL ?? null,
    databasePool: env.DATABASE_POOL,
    demo: env.DEMO ?? (!production && env.DATABASE_URL === undefined),
    otherMasterKeys: (env.MASTER_KEY_PREVIOUS?.split(",") ?? []).map((key) => Buffer.from(key, "base64")),
    masterKey: env.MASTER_KEY === undefined ? null : Buffer.from(env.MASTER_KEY, "base64"),
    llm:
      env.LLM_BASE_URL === undefined
        ? null
        : {
            baseUrl: env.LLM_BASE_URL.replace(/(?<!\/)\/+$/, ""),
            apiKey: env.LLM_API_KEY ?? null,
            model: env.LLM_MODEL!,
            timeoutSeconds: env.LLM_TIMEOUT_SECONDS,
          },
    modelLimits: {
      organization: env.MODEL_DAILY_TOKENS,
      // Half of the organisation's limit, so that strangers who keep one twin busy cannot use up the others' share.
      twin: Math.min(env.MODEL_TWIN_DAILY_TOKENS ?? env.MODEL_DAILY_TOKENS / 2, env.MODEL_DAILY_TOKENS),
    },
    embedding:
      env.EMBEDDING_BASE_URL === undefined
        ? null
        : {
            baseUrl: env.EMBEDDING_BASE_URL.replace(/(?<!\/)\/+$/, ""),
            apiKey: env.EMBEDDING_API_KEY ?? null,
            model: env.EMBEDDING_MODEL!,
            prefixes: env.EMBEDDING_PREFIXES,
            timeoutMs: env.EMBEDDING_TIMEOUT_MS,
            dailyTokens: env.EMBEDDING_DAILY_TOKENS,
          },
    modelFiles: modelFiles(env),
    modelRunning: modelRunning(env),
    modelHub: {
      origin: new URL(env.MODEL_HUB_URL).origin,
      fileHosts: hostsOf(env.MODEL_HUB_FILE_HOSTS),
      proxy: env.MODEL_HUB_PROXY ?? null,
    },
    localModelHosts: hostsOf(env.LOCAL_MODEL_HOSTS),
    onlyLocalModels: env.ONLY_LOCAL_MODELS ?? false,
    modelCaFile: env.MODEL_CA_FILE === undefined ? null : resolve(env.MODEL_CA_FILE),
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    telegramBot:
      env.TELEGRAM_BOT_NAME === undefined ? null : { name: env.TELEGRAM_BOT_NAME, token: env.TELEGRAM_BOT_TOKEN! },
    telegramApiRoot: env.TELEGRAM_API_ROOT.replace(/(?<!\/)\/+$/, ""),
    whatsappGraphUrl: env.WHATSAPP_GRAPH_URL.replace(/(?<!\/)\/+$/, ""),
    whatsappAppSecret: env.WHATSAPP_APP_SECRET ?? null,
    slackApiUrl: env.SLACK_API_URL.replace(/(?<!\/)\/+$/, ""),
    discordApiUrl: env.DISCORD_API_URL.replace(/(?<!\/)\/+$/, ""),
    emailServers: env.EMAIL_IMAP_URL === undefined ? null : { imap: env.EMAIL_IMAP_URL, smtp: env.EMAIL_SMTP_URL! },
    telegramDc: env.TELEGRAM_DC === undefined ? null : telegramDc(env.TELEGRAM_DC, env.TELEGRAM_DC_KEY),
    operator: env.OPERATOR_NAME === undefined ? null : { name: env.OPERATOR_NAME, contact: env.OPERATOR_CONTACT! },
    superAdminEmail: env.SUPER_ADMIN_EMAIL?.toLowerCase() ?? null,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    organizationBytes: env.ORGANIZATION_DISK_MB * 1024 * 1024,
    diskFloorBytes: env.DISK_FREE_FLOOR_MB === undefined ? null : env.DISK_FREE_FLOOR_MB * 1024 * 1024,
    indexCacheBytes: env.INDEX_CACHE_MB * 1024 * 1024,
    logLevel: env.LOG_LEVEL,
    loopbackWebhooks: env.NODE_ENV === "test",
  };
}
