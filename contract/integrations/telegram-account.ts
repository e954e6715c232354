/** Sign-in to a Telegram account by code, and the import of its history. */
import * as z from "zod/mini";
import { ChosenDialogs } from "../knowledge/account-dialogs.ts";
import { ProxyText } from "./proxy-text.ts";

/** Error of the Telegram account's fields, shared by the integration form and the setup wizard. */
export const ALL_FIELDS_REQUIRED = "Все поля обязательны для подключения";

const all = (max = 400) =>
  z
    .string(ALL_FIELDS_REQUIRED)
    .check(z.trim(), z.minLength(1, ALL_FIELDS_REQUIRED), z.maxLength(max, "Слишком длинное значение"));

const setup = {
  proxy: z.nullish(ProxyText),
  apiId: all(),
  apiHash: all(),
  phoneNumber: all(),
  twinId: z
    .string(ALL_FIELDS_REQUIRED)
    .check(z.minLength(1, ALL_FIELDS_REQUIRED), z.refine(isUuid, "Выбранный Digital Twin не найден")),
};

function isUuid(text: string): boolean {
  return z.uuid().safeParse(text).success;
}

export const TelegramSetup = z.object(setup);
export type TelegramSetup = z.infer<typeof TelegramSetup>;

const CODE_REQUIRED = "Код подтверждения обязателен";
const SESSION_REQUIRED = "Сначала запросите код подтверждения";
const ofSession = z
  .string(SESSION_REQUIRED)
  .check(z.minLength(1, SESSION_REQUIRED), z.maxLength(1000, SESSION_REQUIRED));

/** `password` is the account's two-step verification password, if it has one. */
export const TelegramVerification = z.object({
  ...setup,
  verificationCode: z
    .string(CODE_REQUIRED)
    .check(z.trim(), z.minLength(1, CODE_REQUIRED), z.maxLength(20, "Неверный код подтверждения")),
  phoneCodeHash: ofSession,
  sessionId: ofSession,
  password: z.nullish(z.string("Ожидался текст").check(z.maxLength(400, "Слишком длинный пароль"))),
});
export type TelegramVerification = z.infer<typeof TelegramVerification>;

const count = (max: number, message: string) => z.int(message).check(z.minimum(1, message), z.maximum(max, message));

/** How much of the history to import; the setup wizard sends 10 dialogs and 500 messages. */
export const TelegramImport = z.object({
  dialogsLimit: count(1000, "Число диалогов: от 1 до 1000"),
  messagesPerDialog: count(100_000, "Число сообщений: от 1 до 100 000"),
  dialogs: z.optional(ChosenDialogs),
});
export type TelegramImport = z.infer<typeof TelegramImport>;

export const CodeSent = z.object({ phoneCodeHash: z.string(), sessionId: z.string() });
export type CodeSent = z.infer<typeof CodeSent>;

export const CodeVerified = z.object({
  success: z.boolean(),
  /** Russian sentence with the reason when `success` is false. */
  error: z.optional(z.string()),
  integration: z.optional(z.object({ id: z.string() })),
});
export type CodeVerified = z.infer<typeof CodeVerified>;

export const ImportStats = z.object({
  dialogsProcessed: z.number(),
  /** Number of chosen dialogs that the account no longer has; absent when there are none. */
  dialogsSkipped: z.optional(z.number()),
  totalMessages: z.number(),
  analysis: z.object({
    communicationStyle: z.nullable(z.string()),
    personality: z.nullable(z.string()),
    expertise: z.array(z.string()),
  }),
});
export type ImportStats = z.infer<typeof ImportStats>;

export const TelegramImportState = z.object({
  /** `none` means that nothing was imported yet. */
  status: z.enum(["none", "running", "done", "failed", "cancelled"]),
  /** Number of dialogs; 0 until the account has listed them. */
  dialogs: z.number(),
  dialogsDone: z.number(),
  messages: z.number(),
  /** Share of the import that is done, 0..1. */
  progress: z.number(),
  /** Why the import waits, failed or left something out, in Russian. */
  notice: z.nullable(z.string()),
  stats: z.optional(ImportStats),
});
export type TelegramImportState = z.infer<typeof TelegramImportState>;
