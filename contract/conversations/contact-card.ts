/** The contact card: who the contact is, what members have noted about them and about the conversation. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { Autonomy, ContactPlatform } from "../integrations/integrations.ts";
import { PEOPLE } from "../tags.ts";
import { IdParams } from "../twins.ts";

const Tone = z.enum(["ты", "вы"], "Выберите обращение");
const Consent = z.enum(["given", "refused"], "Выберите, согласен ли собеседник");

export const ContactFact = z.object({ id: z.string(), text: z.string() });
export type ContactFact = z.infer<typeof ContactFact>;

export const PersonChannel = z.object({
  conversationId: z.string(),
  name: z.string(),
  platform: ContactPlatform,
  handle: z.nullable(z.string()),
  lastMessageTime: z.string(),
});
export type PersonChannel = z.infer<typeof PersonChannel>;

/** Maximum number of contacts that can be joined into one person. */
export const CHANNELS_LIMIT = 10;
export const CANDIDATES_LIMIT = 8;
const CandidatesQuery = z.object({ q: z.optional(z.string().check(z.trim(), z.maxLength(200))) });
const MergeInput = z.object({ conversationId: z.uuid("Выберите собеседника") });
const PersonChannelParams = z.object({
  id: z.uuid("Неверный идентификатор"),
  otherId: z.uuid("Неверный идентификатор"),
});

export const ContactCard = z.object({
  conversationId: z.string(),
  name: z.string(),
  platform: ContactPlatform,
  /** User name on the platform, such as «@ivan». */
  handle: z.nullable(z.string()),
  /** When the contact first wrote or first occurs in the history. All times here are ISO 8601. */
  since: z.string(),
  /** null when no consent is recorded. */
  consent: z.nullable(z.object({ state: Consent, at: z.string(), by: z.nullable(z.string()) })),
  channels: z.array(PersonChannel),
  /** Members' notes about this person on all channels. The twin never reads them. */
  facts: z.array(ContactFact),
  /** Form of address; null lets the twin decide from the history. */
  tone: z.nullable(Tone),
  /** Autonomy for this contact; null applies the integration's setting. */
  autonomy: z.nullable(Autonomy),
  /** null when the conversation's integration was deleted. */
  integrationAutonomy: z.nullable(Autonomy),
  /** Since when the contact wants no more replies. */
  optedOutAt: z.nullable(z.string()),
  /** Since when the contact knows that an AI answers. */
  disclosedAt: z.nullable(z.string()),
});
export type ContactCard = z.infer<typeof ContactCard>;

/** Changes of the contact; absent fields stay unchanged. */
export const ContactUpdate = z
  .object({
    name: z.optional(
      z
        .string("Введите имя")
        .check(z.trim(), z.minLength(1, "Введите имя"), z.maxLength(200, "Имя длиннее 200 символов")),
    ),
    consent: z.optional(z.nullable(Consent)),
    tone: z.optional(z.nullable(Tone)),
    autonomy: z.optional(z.nullable(Autonomy)),
  })
  .check(z.refine((update) => Object.keys(update).length > 0, "Укажите, что изменить"));
export type ContactUpdate = z.infer<typeof ContactUpdate>;

export const FACTS_LIMIT = 50;
export const FactInput = z.object({
  text: z
    .string("Введите, что запомнить")
    .check(z.trim(), z.minLength(1, "Введите, что запомнить"), z.maxLength(500, "Запись длиннее 500 символов")),
});
export type FactInput = z.infer<typeof FactInput>;

export const Note = z.object({
  id: z.string(),
  text: z.string(),
  author: z.string(),
  /** Whether the caller wrote the note; only its author may change it. */
  mine: z.boolean(),
  createdAt: z.string(),
  editedAt: z.nullable(z.string()),
});
export type Note = z.infer<typeof Note>;

export const NoteInput = z.object({
  text: z
    .string("Введите заметку")
    .check(z.trim(), z.minLength(1, "Введите заметку"), z.maxLength(4000, "Заметка длиннее 4 000 символов")),
});
export type NoteInput = z.infer<typeof NoteInput>;

export const contactsApi = {
  card: endpoint("GET /api/conversations/:id/contact", {
    access: "signed-in",
    tags: ["conversations", "contact"],
    summary: "Собеседник: кто это, что о нём записано, как с ним говорить",
    params: IdParams,
    output: ContactCard,
  }),
  update: endpoint("PUT /api/conversations/:id/contact", {
    access: "editor",
    refreshes: ["contact"],
    summary: "Изменить карточку собеседника",
    params: IdParams,
    input: ContactUpdate,
    output: ContactCard,
  }),
  forget: endpoint("DELETE /api/conversations/:id/contact", {
    access: "editor",
    refreshes: ["conversation-list"],
    summary: "Удалить всё о собеседнике: переписку, память, примеры, записи в индексе",
    params: IdParams,
  }),
  candidates: endpoint("GET /api/conversations/:id/contact/candidates", {
    access: "signed-in",
    tags: ["conversations", "contact"],
    summary: `Собеседники двойника, которые могут быть тем же человеком: сначала с тем же именем, до ${CANDIDATES_LIMIT}`,
    params: IdParams,
    query: CandidatesQuery,
    output: z.array(PersonChannel),
  }),
  merge: endpoint("POST /api/conversations/:id/contact/channels", {
    access: "editor",
    refreshes: PEOPLE,
    summary: "Отметить, что собеседник другого диалога — тот же человек",
    params: IdParams,
    input: MergeInput,
    output: ContactCard,
  }),
  split: endpoint("DELETE /api/conversations/:id/contact/channels/:otherId", {
    access: "editor",
    refreshes: PEOPLE,
    summary: "Отделить собеседника другого диалога: это не тот же человек",
    params: PersonChannelParams,
    output: ContactCard,
  }),
  addFact: endpoint("POST /api/conversations/:id/contact/facts", {
    access: "editor",
    refreshes: ["contact"],
    summary: `Записать о собеседнике, до ${FACTS_LIMIT} записей: двойник их не читает и собеседнику не говорит`,
    status: 201,
    params: IdParams,
    input: FactInput,
    output: ContactFact,
  }),
  editFact: endpoint("PUT /api/contact-facts/:id", {
    access: "editor",
    refreshes: ["contact"],
    summary: "Изменить запись о собеседнике",
    params: IdParams,
    input: FactInput,
    output: ContactFact,
  }),
  removeFact: endpoint("DELETE /api/contact-facts/:id", {
    access: "editor",
    refreshes: ["contact"],
    summary: "Удалить запись о собеседнике",
    params: IdParams,
  }),
  notes: endpoint("GET /api/conversations/:id/notes", {
    access: "signed-in",
    tags: ["conversations", "notes"],
    summary: "Заметки к диалогу: собеседник и двойник их не видят",
    params: IdParams,
    output: z.array(Note),
  }),
  addNote: endpoint("POST /api/conversations/:id/notes", {
    access: "editor",
    refreshes: ["notes"],
    summary: "Оставить заметку к диалогу",
    status: 201,
    params: IdParams,
    input: NoteInput,
    output: Note,
  }),
  editNote: endpoint("PUT /api/notes/:id", {
    access: "editor",
    refreshes: ["notes"],
    summary: "Изменить свою заметку",
    params: IdParams,
    input: NoteInput,
    output: Note,
  }),
  removeNote: endpoint("DELETE /api/notes/:id", {
    access: "editor",
    refreshes: ["notes"],
    summary: "Удалить свою заметку",
    params: IdParams,
  }),
};
