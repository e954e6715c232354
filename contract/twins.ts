import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { TWIN_LISTS } from "./tags.ts";

export const TwinStatus = z.enum(["training", "ready"]);
export type TwinStatus = z.infer<typeof TwinStatus>;

/** The specification sets no upper bounds. This common bound only limits the server's work. */
const MAX_TEXT = 4000;
const TOO_LONG = "Не больше 4 000 символов";
const text = (min: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(min, message), z.maxLength(MAX_TEXT, TOO_LONG));

/** Name of the twin for contacts; "" or null uses the twin's own name. */
const PublicName = z.optional(
  z.nullable(z.string("Ожидался текст").check(z.trim(), z.maxLength(100, "Не больше 100 символов"))),
);

/**
 * Whom a twin speaks to. `business`: customers, and every statement needs a source. `friends`: people who know its owner; of the world it
 * talks freely, as a person does, and only what it says of the owner and of agreements needs a source.
 */
export const TwinPurpose = z.enum(["business", "friends"]);
export type TwinPurpose = z.infer<typeof TwinPurpose>;

/** Fields of the create form. It may send `status`, which the server ignores: it is always 'training'. */
export const TwinInput = z.object({
  name: text(1, "Имя агента обязательно"),
  description: text(10, "Описание должно содержать минимум 10 символов"),
  personality: text(20, "Описание личности должно быть подробным"),
  communicationStyle: text(10, "Опишите стиль общения"),
  knowledgeArea: text(5, "Укажите область знаний"),
  publicName: PublicName,
  /** Absent: `business`. */
  purpose: z.optional(TwinPurpose),
});
export type TwinInput = z.infer<typeof TwinInput>;

export const TwinEditForm = z.object({
  name: text(1, "Имя агента обязательно"),
  description: text(10, "Описание должно содержать минимум 10 символов"),
  personality: text(20, "Описание личности должно быть подробным"),
  communicationStyle: text(1, "Стиль общения обязателен"),
  knowledgeArea: z.optional(z.string().check(z.trim(), z.maxLength(MAX_TEXT, TOO_LONG))),
  publicName: PublicName,
  purpose: z.optional(TwinPurpose),
});
export type TwinEditForm = z.infer<typeof TwinEditForm>;

const named = TwinEditForm.shape;
/**
 * Either the edited fields with `expertise`, or `isActive` alone. Absent fields stay unchanged. The form edits one area of expertise
 * or none, which replaces the first stored area only.
 */
export const TwinUpdate = z
  .object({
    name: z.optional(named.name),
    description: z.optional(named.description),
    personality: z.optional(named.personality),
    communicationStyle: z.optional(named.communicationStyle),
    expertise: z.optional(
      z
        .array(z.string().check(z.trim(), z.maxLength(MAX_TEXT, TOO_LONG)))
        .check(z.maxLength(20, "Не больше 20 областей")),
    ),
    publicName: PublicName,
    purpose: z.optional(TwinPurpose),
    isActive: z.optional(z.boolean("Ожидалось true или false")),
  })
  .check(z.refine((update) => Object.values(update).some((value) => value !== undefined), "Нечего изменить"));
export type TwinUpdate = z.infer<typeof TwinUpdate>;

export const Twin = z.object({
  id: z.string(),
  name: z.string(),
  /** Name for contacts; null uses the twin's own name. */
  publicName: z.nullable(z.string()),
  description: z.string(),
  personality: z.string(),
  communicationStyle: z.string(),
  expertise: z.array(z.string()),
  purpose: TwinPurpose,
  status: TwinStatus,
  isActive: z.boolean(),
  /** Fidelity, 0..1, measured on held-out conversations; null until there is enough text. */
  styleAccuracy: z.nullable(z.number()),
  ownerId: z.string(),
  lastTrainedAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Twin = z.infer<typeof Twin>;

export const TrainingState = z.object({
  status: TwinStatus,
  /** Progress of the running job, 0..1; 1 when none runs. */
  progress: z.number(),
  running: z.boolean(),
  /** Current stage of the job in Russian; null when none runs. */
  stage: z.nullable(z.string()),
  error: z.nullable(z.string()),
  chunks: z.number(),
  replyExamples: z.number(),
  messages: z.number(),
  /** Progress of the embeddings; null where no embedding model is configured. */
  embeddings: z.nullish(
    z.object({
      /** Whether everything that the last training covered has embeddings. */
      ready: z.boolean(),
      units: z.number(),
      /** Approximate total of texts that get an embedding; trivial texts such as «ок» get none. */
      total: z.number(),
      /** Why some embeddings are missing, in Russian. Until they exist the twin searches by words. */
      error: z.nullable(z.string()),
    }),
  ),
});
export type TrainingState = z.infer<typeof TrainingState>;

export const IdParams = z.object({ id: z.uuid("Неверный идентификатор") });

export const twinsApi = {
  list: endpoint("GET /api/digital-twins", {
    access: "signed-in",
    tags: ["twins"],
    summary: "Двойники",
    output: z.array(Twin),
  }),
  create: endpoint("POST /api/digital-twins", {
    access: "editor",
    refreshes: TWIN_LISTS,
    beforeConfirmation: true,
    summary: "Создать двойника",
    input: TwinInput,
    output: Twin,
    status: 201,
  }),
  get: endpoint("GET /api/digital-twins/:id", {
    access: "signed-in",
    tags: ["twins"],
    summary: "Один двойник",
    params: IdParams,
    output: Twin,
  }),
  update: endpoint("PUT /api/digital-twins/:id", {
    access: "editor",
    refreshes: TWIN_LISTS,
    beforeConfirmation: true,
    summary: "Изменить двойника или включить и приостановить его",
    params: IdParams,
    input: TwinUpdate,
    output: Twin,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id", {
    access: "editor",
    refreshes: TWIN_LISTS,
    summary: "Удалить двойника со всем, что он знает",
    params: IdParams,
  }),
  training: endpoint("GET /api/digital-twins/:id/training", {
    access: "signed-in",
    tags: ["twins"],
    summary: "Ход обучения",
    params: IdParams,
    output: TrainingState,
  }),
};
