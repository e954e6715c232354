/** The only reader of process.env. An invalid value stops the start with a message that names the variable. */

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type * as z from "zod";
import { certificatesIn } from "./config/certificates.ts";
import { contradictionsIn } from "./config/contradictions.ts";
import { Environment } from "./config/environment.ts";
import { type Misspelt, misspeltSettings } from "./config/misspelt.ts";
import { readSettingFiles } from "./config/setting-files.ts";
import { type StorageConfig, storageOf } from "./config/storage-config.ts";
import { type TelegramDc, telegramDc } from "./config/telegram-dc.ts";
import { type TracingConfig, tracingOf } from "./config/tracing-config.ts";

interface EmbeddingConfig {
  /** Base URL with the version and without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** How long a search waits for the query's vector before it uses words alone, ms. */
  timeoutMs: number;
  /** Maximum number of embedding tokens that one twin's training may cost per day (Moscow time). */
  dailyTokens: number;
}

/** How the server's model process runs local models (docs/decisions/030-local-models.md). */
interface ModelRunning {
  /** null: all physical cores but one, and all of an idle machine. Only tests and benchmarks set it. */
  threads: number | null;
  /** Size of the generator's context, tokens. */
  contextTokens: number;
  /** Time limit for a complete reply, in seconds. */
  timeoutSeconds: number;
  /** How long a search waits for the query's vector before it uses words alone, ms. */
  embeddingTimeoutMs: number;
  /** How long a search waits for the reranker before it keeps the original order, ms. */
  rerankerTimeoutMs: number;
}

/** Model files that the settings name; paths are absolute. */
export interface ModelFiles extends ModelRunning {
  /** Model that writes replies when no endpoint is set; null when no model does. */
  generator: string | null;
  /** Model that computes embeddings when no endpoint is set; null when no model does. */
  embedder: string | null;
  /** Model that reranks search results; null when they are not reranked. */
  reranker: string | null;
}

/** Local recognition of recordings and pictures (docs/decisions/020-voice-and-pictures.md); paths are absolute. */
interface MediaConfig {
  /** Folder `speech` in `dataDir`, a speech model that was put there; null: the model that was chosen on the screen «Модель». */
  speechModel: string | null;
  /** Folder `tessdata` in `dataDir`, tesseract's language data; null: the system's usual folders. */
  ocrData: string | null;
}

/** Where models are downloaded from (docs/decisions/030-local-models.md). */
export interface ModelHubConfig {
  /** Base URL of Hugging Face or a mirror, without a trailing slash. */
  origin: string;
  /** Hosts, including their subdomains, that the hub may redirect to for a file's bytes. The hub's own host is always allowed. */
  fileHosts: readonly string[];
}

/** Limits of language model tokens per day (Moscow time). */
export interface ModelLimits {
  /** Limit for all twins of an organisation together; its administrator may set a lower one. */
  organization: number;
  /** Limit for one twin until its owner sets another. */
  twin: number;
}

/** Encryption and schedule of backups (docs/decisions/013-backups.md). */
export interface BackupConfig {
  /** Absolute path of the folder for scheduled backups; null: no backups are scheduled. */
  folder: string | null;
  hours: number;
  kept: number;
  /** Number of upgrades whose backups are kept, including the upgrade in progress. */
  keptUpgrades: number;
  passphrase: string | null;
  /** Public age key that backups are encrypted to; it is used instead of a passphrase. */
  recipient: string | null;
  /** Private age key that decrypts such backups; the server itself needs none. */
  identity: string | null;
}

/**
 * Role of the process: `web` answers requests, `worker` runs jobs, `all` does both
 * (docs/decisions/009-process-roles-and-job-scheduling.md).
 */
export type Role = z.infer<typeof Environment>["ROLE"];

interface CrmAppConfig {
  clientId: string;
  clientSecret: string;
}

/** Where the server sends alerts; null: this way is off. */
export interface AlertsConfig {
  email: string | null;
  /** A bot's token and the chat that it writes to: an id, or a channel's @name. */
  telegram: { token: string; chat: string } | null;
}

export interface Config {
  production: boolean;
  role: Role;
  host: string;
  port: number;
  /** Origin without a trailing slash; links in emails and cookie rules are derived from it. */
  publicUrl: string;
  /** Host names that requests may use besides that of `publicUrl`. */
  allowedHosts: readonly string[];
  trustProxy: boolean;
  /** How long a stopping server lets replies under way go on, ms. */
  stopMs: number;
  dataDir: string;
  /** null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** Connection string that bypasses the transaction pool of `databaseUrl`; null: there is no pool. */
  databaseDirectUrl: string | null;
  /** Connection string for requests; null: the server creates a role for them. */
  databaseRequestUrl: string | null;
  /** Maximum number of connections, for requests and the platform together. */
  databasePool: number;
  demo: boolean;
  /** 32 bytes; null: a key is generated in the data folder (embedded database only). */
  masterKey: Buffer | null;
  /** Former keys, which still decrypt values that were encrypted with them. */
  otherMasterKeys: readonly Buffer[];
  llm: { baseUrl: string; apiKey: string | null; model: string; timeoutSeconds: number } | null;
  modelLimits: ModelLimits;
  /** null: there are no embeddings, and search uses words alone. */
  embedding: EmbeddingConfig | null;
  /** null: the settings name no local model. */
  modelFiles: ModelFiles | null;
  modelRunning: ModelRunning;
  media: MediaConfig;
  modelHub: ModelHubConfig;
  /**
   * Hosts, without ports, whose models organisations with the rule «только локальная модель» may use
   * (docs/decisions/031-remote-models-and-budgets.md).
   */
  localModelHosts: readonly string[];
  /** Whether all organisations are limited to models on these hosts, regardless of their own settings. */
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
  /** Secret of the installation's own Meta app, for integrations that name no other app. */
  whatsappAppSecret: string | null;
  /** Base URL of Slack's Web API, without a trailing slash. */
  slackApiUrl: string;
  /** Base URL of Discord's REST API, without a trailing slash and version. */
  discordApiUrl: string;
  /** Base URL of MAX's Bot API, without a trailing slash. */
  maxApiUrl: string;
  /** Root certificates (PEM) accepted only for MAX's server, besides the usual ones. */
  maxRoots: readonly string[];
  /** Base URL of VK's API methods, without a trailing slash. */
  vkApiUrl: string;
  /** The installation's own applications at CRM systems; null: each organisation enters its own. */
  crmApps: { amocrm: CrmAppConfig | null; bitrix24: CrmAppConfig | null };
  /** Test servers that replace the CRM systems' origins; null: the real ones. */
  crmUrls: { amocrm: string | null; bitrix24: string | null };
  /** Mail servers for all mailboxes of the email channel; null: they are discovered from each mailbox's domain. */
  emailServers: { imap: string; smtp: string } | null;
  /** A local data centre that replaces Telegram's for user accounts, in tests. */
  telegramDc: TelegramDc | null;
  superAdminEmail: string | null;
  /** The operator responsible for personal data, named in the legal texts; null: they say that the settings name no operator. */
  operator: { name: string; contact: string } | null;
  /** Calls that one IP address may make per minute; 0: no limit. */
  requestsPerMinute: number;
  /** When a job is overdue by this many milliseconds and no job of its kind runs or ends, the server reports that it is not ready. */
  jobsStuckMs: number;
  /** Bearer token for /metrics; null: the endpoint does not exist. */
  metricsToken: string | null;
  /** Bytes that one organisation may store: uploads, documents and search indexes together. */
  organizationBytes: number;
  /** Bytes that uploads must leave free on the disk; null: a twentieth of the disk, at least a gigabyte. Only tests set it. */
  diskFloorBytes: number | null;
  /** Object storage of uploaded and generated files; null: they are stored in `dataDir`. */
  storage: StorageConfig | null;
  backup: BackupConfig;
  alerts: AlertsConfig;
  /** null: no traces. */
  tracing: TracingConfig | null;
  logLevel: string;
  /** Whether webhooks and websites may be on this machine; only tests set it. */
  loopbackAddresses: boolean;
}

const EMBEDDING_DAILY_TOKENS = 5_000_000;
const EMBEDDING_TIMEOUT_MS = 300;
/** Maximum context in tokens: a larger context on a CPU costs memory and slows down the answer. */
const CONTEXT_TOKENS = 4096;
const RERANKER_TIMEOUT_MS = 1500;
/** Hosts where Hugging Face and its mirrors serve large files. */
const HUB_FILE_HOSTS = ["hf.co", "huggingface.co"];
const JOBS_STUCK_MS = 15 * 60_000;
const BACKUP_HOURS = 24;
const KEPT_BACKUPS = 7;
const KEPT_UPGRADES = 3;

function existingFolder(dataDir: string, name: string): string | null {
  const folder = resolve(dataDir, name);
  return existsSync(folder) ? folder : null;
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

/** Returns the environment of the process; variables that are not set are read from a file `.env` in the working folder. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/**
 * Returns the environment for worker threads. It contains no secrets, because the threads parse texts of strangers. It also lacks the
 * variable that `node --watch` sets, because a thread would then post messages about its modules where its results are expected.
 */
export function threadEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

const crmApp = (clientId: string | undefined, clientSecret: string | undefined): CrmAppConfig | null =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

const modelRunning = (env: z.infer<typeof Environment>): ModelRunning => ({
  threads: null,
  contextTokens: CONTEXT_TOKENS,
  timeoutSeconds: env.LLM_TIMEOUT_SECONDS,
  embeddingTimeoutMs: EMBEDDING_TIMEOUT_MS,
  rerankerTimeoutMs: RERANKER_TIMEOUT_MS,
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

/** Returns the name of the embedding model that is stored with vectors: the endpoint's model or the file's name; null: there is none. */
export function embeddingModelOf({ embedding, modelFiles }: Pick<Config, "embedding" | "modelFiles">): string | null {
  if (embedding !== null) return embedding.model;
  const path = modelFiles?.embedder ?? null;
  return path && `file:${basename(path)}`.slice(0, 200);
}

/** Returns variables that look like misspelt settings; they have no effect. */
export const findMisspelt = (environment: Record<string, string | undefined>): Misspelt[] =>
  misspeltSettings(environment, Object.keys(Environment.shape));

/** Thrown by `readConfig`; the message lists all invalid values, one per line. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment and the files that it names. Empty values count as absent.
 * @throws ConfigError naming each invalid variable
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { values, files, faults } = readSettingFiles(environment, Object.keys(Environment.shape));
  const parsed = Environment.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = path.join(".");
    const file = files[name];
    faults.push(file === undefined ? `${name}: ${message}` : `${name}_FILE: ${message} (в файле ${file})`);
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join("\n"));
  const env = parsed.data;
  const production = env.NODE_ENV === "production";
  const wrong = contradictionsIn(env);
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));

  return {
    production,
    role: env.ROLE,
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, ""),
    allowedHosts: hostsOf(env.ALLOWED_HOSTS ?? ""),
    trustProxy: env.TRUST_PROXY ?? false,
    stopMs: env.STOP_SECONDS * 1000,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
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
      // Half of the organisation's limit, so that strangers who keep one twin busy cannot exhaust the other twins' share.
      twin: env.MODEL_DAILY_TOKENS / 2,
    },
    embedding:
      env.EMBEDDING_BASE_URL === undefined
        ? null
        : {
            baseUrl: env.EMBEDDING_BASE_URL.replace(/(?<!\/)\/+$/, ""),
            apiKey: env.EMBEDDING_API_KEY ?? null,
            model: env.EMBEDDING_MODEL!,
            timeoutMs: EMBEDDING_TIMEOUT_MS,
            dailyTokens: EMBEDDING_DAILY_TOKENS,
          },
    modelFiles: modelFiles(env),
    modelRunning: modelRunning(env),
    media: {
      speechModel: existingFolder(env.DATA_DIR, "speech"),
      ocrData: existingFolder(env.DATA_DIR, "tessdata"),
    },
    modelHub: {
      origin: new URL(env.MODEL_HUB_URL).origin,
      fileHosts: HUB_FILE_HOSTS,
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
    crmApps: {
      amocrm: crmApp(env.AMOCRM_CLIENT_ID, env.AMOCRM_CLIENT_SECRET),
      bitrix24: crmApp(env.BITRIX24_CLIENT_ID, env.BITRIX24_CLIENT_SECRET),
    },
    crmUrls: { amocrm: env.AMOCRM_URL ?? null, bitrix24: env.BITRIX24_URL ?? null },
    slackApiUrl: env.SLACK_API_URL.replace(/(?<!\/)\/+$/, ""),
    discordApiUrl: env.DISCORD_API_URL.replace(/(?<!\/)\/+$/, ""),
    maxApiUrl: env.MAX_API_URL.replace(/(?<!\/)\/+$/, ""),
    maxRoots: env.MAX_CA === undefined ? [] : certificatesIn(env.MAX_CA),
    vkApiUrl: env.VK_API_URL.replace(/(?<!\/)\/+$/, ""),
    emailServers: env.EMAIL_IMAP_URL === undefined ? null : { imap: env.EMAIL_IMAP_URL, smtp: env.EMAIL_SMTP_URL! },
    telegramDc: env.TELEGRAM_DC === undefined ? null : telegramDc(env.TELEGRAM_DC, env.TELEGRAM_DC_KEY),
    operator: env.OPERATOR_NAME === undefined ? null : { name: env.OPERATOR_NAME, contact: env.OPERATOR_CONTACT! },
    superAdminEmail: env.SUPER_ADMIN_EMAIL?.toLowerCase() ?? null,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    organizationBytes: env.ORGANIZATION_DISK_MB * 1024 * 1024,
    diskFloorBytes: null,
    metricsToken: env.METRICS_TOKEN ?? null,
    jobsStuckMs: JOBS_STUCK_MS,
    storage: storageOf(env),
    backup: {
      folder: env.BACKUP_FOLDER === undefined ? null : resolve(env.BACKUP_FOLDER),
      hours: BACKUP_HOURS,
      kept: KEPT_BACKUPS,
      keptUpgrades: KEPT_UPGRADES,
      passphrase: env.BACKUP_PASSPHRASE ?? null,
      recipient: env.BACKUP_RECIPIENT ?? null,
      identity: env.BACKUP_IDENTITY ?? null,
    },
    alerts: {
      email: env.ALERT_EMAIL ?? null,
      telegram:
        env.ALERT_TELEGRAM_TOKEN === undefined
          ? null
          : { token: env.ALERT_TELEGRAM_TOKEN, chat: env.ALERT_TELEGRAM_CHAT! },
    },
    tracing: tracingOf(env),
    logLevel: env.LOG_LEVEL,
    loopbackAddresses: env.NODE_ENV === "test",
  };
}
