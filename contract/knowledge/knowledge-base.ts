/** The imported history on the screen /knowledge: figures, sources and messages. Only the twin's owner may read messages. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { MessageMedia } from "../media.ts";
import { IntegrationPlatform } from "../platforms.ts";
import { HISTORY } from "../tags.ts";
import { IdParams } from "../twins.ts";
import { ChosenDialogs } from "./account-dialogs.ts";
import { ConversationPlatform } from "./knowledge.ts";
import { ReimportState } from "./reimport.ts";
import { searchText } from "./search-text.ts";

/** Totals over the twins that the caller owns. `lastUpdate` is the latest import of any source, null before the first. */
export const KnowledgeStats = z.object({
  totalMessages: z.number(),
  telegramMessages: z.number(),
  emailMessages: z.number(),
  whatsappMessages: z.number(),
  lastUpdate: z.optional(z.nullable(z.string())),
});
export type KnowledgeStats = z.infer<typeof KnowledgeStats>;

/** A source of messages; its id is the parameter of the reimport call. */
export const KnowledgeSource = z.object({
  id: z.string(),
  name: z.string(),
  platform: z.string(),
  /** Only a source with status `active` can be imported again. */
  status: z.string(),
  digitalTwinName: z.string(),
  messagesCount: z.number(),
  lastImport: z.optional(z.nullable(z.string())),
  digitalTwinId: z.optional(z.string()),
  /** A pasted conversation (`paste`) and an export file (`export`) never change; an `integration` is a live account. */
  kind: z.optional(z.enum(["paste", "export", "integration"])),
  reimport: z.optional(ReimportState),
});
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

export const KnowledgeMessage = z.object({
  id: z.string(),
  platform: z.string(),
  /** "" for a picture or a voice message without words. */
  content: z.string(),
  timestamp: z.string(),
  isTrainingData: z.boolean(),
  /** Name of the author; null for the twin's owner and when the author is unknown. */
  author: z.optional(z.nullable(z.string())),
  fromOwner: z.optional(z.boolean()),
  chatName: z.optional(z.string()),
  digitalTwinId: z.optional(z.string()),
  digitalTwinName: z.optional(z.string()),
  /**
   * Recordings and pictures of an imported message. When the message has no text, `content` holds what was read from them with certainty.
   */
  media: z.optional(z.array(MessageMedia)),
});
export type KnowledgeMessage = z.infer<typeof KnowledgeMessage>;

export const MESSAGES_PAGE = 100;

/**
 * Response header with the cursor of the next page, to be sent as `before`. It is present while there may be more messages. A search
 * that has scanned many messages without a match returns a short page with this header.
 */
export const NEXT_PAGE_HEADER = "x-next-before";

export const MessagesQuery = z.object({
  search: z.optional(searchText(200, { missing: "Введите запрос", long: "Слишком длинный запрос" })),
  platform: z.optional(
    z.enum([...new Set([...ConversationPlatform.options, ...IntegrationPlatform.options])], "Нет такой платформы"),
  ),
  twinId: z.optional(z.uuid("Выберите цифрового двойника")),
  before: z.optional(z.string().check(z.regex(/^-?\d{1,17}_\d{1,15}$/, "Неверное место в списке"))),
  limit: z.optional(
    z.coerce
      .number()
      .check(
        z.int("Неверный размер страницы"),
        z.gte(1, "Неверный размер страницы"),
        z.lte(200, "Не больше 200 сообщений за раз"),
      ),
  ),
});
export type MessagesQuery = z.infer<typeof MessagesQuery>;

/** A chat of a source, with its name at the last import. */
const SourceChat = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["private", "group", "channel", "saved"]),
  messages: z.number(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
});

const SourcePerson = z.object({ id: z.string(), name: z.string(), messages: z.number() });

/** Maximum number of listed chats and of listed people per source, those with most messages first. The rest are found by name. */
export const SOURCE_ROWS = 200;

export const SourceContents = z.object({ chats: z.array(SourceChat), people: z.array(SourcePerson) });
export type SourceContents = z.infer<typeof SourceContents>;

const SourceSearch = z.object({
  search: z.optional(searchText(200, { missing: "Введите запрос", long: "Слишком длинный запрос" })),
});
const rowNumber = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "Неверный идентификатор"));
const ChatParams = z.extend(IdParams, { chatId: rowNumber });
const PersonParams = z.extend(IdParams, { personId: rowNumber });

/** Dialogs of an account to import; when absent, the previous choice applies, or else the latest private dialogs. */
export const ReimportInput = z.optional(z.object({ dialogs: z.optional(ChosenDialogs) }));
export type ReimportInput = z.infer<typeof ReimportInput>;

export const Reimport = z.object({ id: z.string(), status: z.literal("running") });
export type Reimport = z.infer<typeof Reimport>;

export const knowledgeBaseApi = {
  stats: endpoint("GET /api/knowledge-base/stats", {
    access: "signed-in",
    tags: ["history"],
    summary: "Сколько сообщений в базе знаний",
    output: KnowledgeStats,
  }),
  sources: endpoint("GET /api/knowledge-base/sources", {
    access: "signed-in",
    tags: ["history"],
    summary: "Источники данных",
    output: z.array(KnowledgeSource),
  }),
  messages: endpoint("GET /api/knowledge-base/messages", {
    access: "signed-in",
    tags: ["history"],
    summary: "Сообщения базы знаний; заголовок X-Next-Before ведёт к следующей странице",
    query: MessagesQuery,
    output: z.array(KnowledgeMessage),
  }),
  sourceContents: endpoint("GET /api/knowledge-base/sources/:id/contents", {
    access: "signed-in",
    tags: ["history"],
    summary: `Чаты и люди источника, до ${SOURCE_ROWS}: у кого больше сообщений, тот первый`,
    params: IdParams,
    query: SourceSearch,
    output: SourceContents,
  }),
  removeSource: endpoint("DELETE /api/knowledge-base/sources/:id", {
    access: "editor",
    refreshes: ["history", "imports", "twins", "conversations", "transcript"],
    summary: "Удалить источник и всё, что из него: сообщения, примеры, записи индекса",
    params: IdParams,
  }),
  removeChat: endpoint("DELETE /api/knowledge-base/sources/:id/chats/:chatId", {
    access: "editor",
    refreshes: ["history", "imports", "twins", "conversations", "transcript"],
    summary: "Удалить чат из истории и всё, что из него",
    params: ChatParams,
  }),
  removePerson: endpoint("DELETE /api/knowledge-base/sources/:id/people/:personId", {
    access: "editor",
    refreshes: ["history", "imports", "twins", "conversations", "transcript"],
    summary: "Удалить человека: его слова, личные чаты и диалоги с ним",
    params: PersonParams,
  }),
  reimport: endpoint("POST /api/integrations/:id/reimport", {
    access: "editor",
    refreshes: HISTORY,
    summary: "Прочитать источник данных заново",
    params: IdParams,
    input: ReimportInput,
    output: Reimport,
    status: 202,
  }),
};
