/** Readers of the recordings and pictures that contacts send: no reader, this machine, or a service that the organisation has connected. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { MEDIA_KINDS, type MediaKind } from "../media-kinds.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";
import { REMOTE_PROBLEMS, ServerAddress, ServerKey, ServerModel } from "./remote-model.ts";

export { MEDIA_KINDS, type MediaKind };

const MEDIA_MODES = ["off", "local", "endpoint"] as const;
export type MediaMode = (typeof MEDIA_MODES)[number];
/** `openai`: any server with an OpenAI-compatible API; `yandex`: SpeechKit, for speech only. */
const MEDIA_PRESETS = ["openai", "yandex"] as const;
export type MediaPreset = (typeof MEDIA_PRESETS)[number];

export const YANDEX_SPEECH_URL = "https://stt.api.cloud.yandex.net";

/** Defaults, which the form also shows before anything is set. */
export const MEDIA_DEFAULTS = {
  speech: { longestSeconds: 180, dailyLimit: 60 },
  picture: { longestSeconds: null, dailyLimit: 200 },
} as const satisfies Record<MediaKind, { longestSeconds: number | null; dailyLimit: number }>;
const LONGEST_SECONDS = 600;

const whole = (least: number, most: number, error: string) =>
  z.int(error).check(z.gte(least, error), z.lte(most, error));

export const MediaReaderInput = z
  .object({
    mode: z.enum(MEDIA_MODES, "Выберите, кто распознаёт"),
    /** API of the endpoint; when absent, the stored one stays. */
    preset: z.optional(z.enum(MEDIA_PRESETS)),
    baseUrl: z.optional(ServerAddress),
    model: z.optional(ServerModel),
    /** When absent, the stored key stays, provided the address is unchanged. Empty means no key. */
    apiKey: z.optional(ServerKey),
    longestSeconds: z.optional(whole(10, LONGEST_SECONDS, "Длина записи — от 10 до 600 секунд")),
    dailyLimit: whole(1, 10_000, "Дневной предел — от 1 до 10 000"),
    /** Days for which originals are kept; when absent, they are kept as long as their message. */
    keptDays: z.optional(whole(1, 3650, "Срок хранения — от 1 до 3650 дней")),
  })
  .check(
    z.refine(({ mode, baseUrl }) => mode !== "endpoint" || baseUrl !== undefined, {
      error: "Введите адрес сервиса",
      path: ["baseUrl"],
    }),
    z.refine(({ mode, preset }) => mode !== "endpoint" || preset !== undefined, {
      error: "Выберите сервис",
      path: ["preset"],
    }),
    z.refine(({ mode, preset, model }) => mode !== "endpoint" || preset === "yandex" || (model ?? "") !== "", {
      error: "Введите название модели",
      path: ["model"],
    }),
  );
export type MediaReaderInput = z.infer<typeof MediaReaderInput>;

export const MediaReader = z.object({
  kind: z.enum(MEDIA_KINDS),
  mode: z.enum(MEDIA_MODES),
  localReady: z.boolean(),
  endpoint: z.nullable(
    z.object({
      preset: z.enum(MEDIA_PRESETS),
      baseUrl: z.string(),
      model: z.nullable(z.string()),
      /** Whether a key is stored; no response contains the key itself. */
      hasKey: z.boolean(),
    }),
  ),
  /** Whose rule forbids the endpoint; null when it may be used. */
  held: z.nullable(z.enum(["organization", "installation"])),
  longestSeconds: z.nullable(z.number()),
  dailyLimit: z.number(),
  keptDays: z.nullable(z.number()),
  /** Usage today (Moscow time): minutes of recordings, each rounded up, or number of pictures. */
  usedToday: z.number(),
});
export type MediaReader = z.infer<typeof MediaReader>;

export const MediaReaders = z.object({
  readers: z.array(MediaReader),
  /** Whether the caller may enter addresses in a private network and without TLS, which only the operator may. */
  mayBePrivate: z.boolean(),
});
export type MediaReaders = z.infer<typeof MediaReaders>;

export const MediaCheck = z.object({
  /** null when the endpoint answered as expected. */
  problem: z.nullable(z.enum(REMOTE_PROBLEMS)),
  sentence: z.string(),
  milliseconds: z.number(),
});
export type MediaCheck = z.infer<typeof MediaCheck>;

const KindParams = z.extend(OrganizationParams, {
  kind: z.enum(MEDIA_KINDS, "Распознаются записи и картинки"),
});

export const mediaReadersApi = {
  list: endpoint("GET /api/organizations/:orgId/media-readers", {
    access: "signed-in",
    tags: ["organization", "media-readers"],
    summary: "Кто распознаёт голосовые сообщения и картинки: настройки без ключей и расход за сегодня",
    params: OrganizationParams,
    output: MediaReaders,
  }),
  set: endpoint("PUT /api/organizations/:orgId/media-readers/:kind", {
    access: "org_admin",
    refreshes: ["media-readers"],
    summary: "Выбрать, кто распознаёт голосовые сообщения или картинки",
    params: KindParams,
    input: MediaReaderInput,
    output: MediaReader,
  }),
  check: endpoint("POST /api/organizations/:orgId/media-readers/:kind/check", {
    access: "org_admin",
    refreshes: "nothing",
    summary: "Проверить сервис распознавания: отправить короткий образец и сказать, что не так",
    params: KindParams,
    input: MediaReaderInput,
    output: MediaCheck,
  }),
};
