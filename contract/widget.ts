/** The chat that an owner puts on a site of their own. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Autonomy } from "./integrations.ts";
import { IdParams } from "./twins.ts";

export const WIDGET_SITES_LIMIT = 20;

/** An origin as browsers name it, «https://shop.example.ru»; http for trying at home. */
const Site = z
  .string("Введите адрес сайта")
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(250, "Слишком длинный адрес"),
    z.regex(
      /^(https:\/\/(?:\*\.)?(?:[a-zа-яё0-9](?:[a-zа-яё0-9-]*[a-zа-яё0-9])?\.)+[a-zа-яё0-9-]{2,}(?::\d{1,5})?|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?)$/,
      "Адрес сайта без пути, например https://shop.example.ru",
    ),
  );

export const WidgetInput = z.object({
  enabled: z.boolean("Ожидалось true или false"),
  allowedSites: z.array(Site).check(z.maxLength(WIDGET_SITES_LIMIT, `Не больше ${WIDGET_SITES_LIMIT} сайтов`)),
  title: z
    .string("Введите заголовок")
    .check(z.trim(), z.minLength(1, "Введите заголовок"), z.maxLength(60, "Не больше 60 символов")),
  greeting: z.string("Введите приветствие").check(z.trim(), z.maxLength(500, "Не больше 500 символов")),
  color: z.string("Выберите цвет").check(z.regex(/^#[0-9a-f]{6}$/i, "Цвет в виде #0a7a75")),
  autonomy: Autonomy,
  /** Messages of all visitors together. */
  dailyMessages: z.int("Введите целое число").check(z.gte(1, "Не меньше 1"), z.lte(100_000, "Не больше 100 000")),
});
export type WidgetInput = z.infer<typeof WidgetInput>;

export const Widget = z.object({
  /** `data-twin` of the script; null until it was saved for the first time. */
  id: z.nullable(z.string()),
  enabled: z.boolean(),
  allowedSites: z.array(z.string()),
  title: z.string(),
  greeting: z.string(),
  color: z.string(),
  autonomy: Autonomy,
  dailyMessages: z.number(),
});
export type Widget = z.infer<typeof Widget>;

export const widgetApi = {
  get: endpoint("GET /api/digital-twins/:id/widget", {
    access: "editor",
    summary: "Чат на сайте: его настройки",
    params: IdParams,
    output: Widget,
  }),
  save: endpoint("PUT /api/digital-twins/:id/widget", {
    access: "editor",
    summary: "Настроить чат на сайте",
    params: IdParams,
    input: WidgetInput,
    output: Widget,
  }),
};

/** What visitors have instead of a session: they keep it in their browser. */
export const VISITOR_HEADER = "x-visitor";
/** 32 random bytes, base64url: whoever knows them reads the conversation. */
export const Visitor = z.string("Нет посетителя").check(z.regex(/^[\w-]{43}$/, "Неверный посетитель"));

export const VisitorMessage = z.object({
  /** Made by the frame: a message that is sent again is the same message. */
  id: z.uuid("Неверный идентификатор"),
  text: z
    .string("Введите сообщение")
    .check(z.trim(), z.minLength(1, "Введите сообщение"), z.maxLength(4000, "Сообщение длиннее 4 000 символов")),
});

export type VisitorMessage = z.infer<typeof VisitorMessage>;

export const WidgetLine = z.object({
  id: z.number(),
  from: z.enum(["visitor", "twin", "owner"]),
  text: z.string(),
  at: z.string(),
});
export type WidgetLine = z.infer<typeof WidgetLine>;

export const WidgetTalk = z.object({
  lines: z.array(WidgetLine),
  /** A person answers next, not the twin. */
  human: z.boolean(),
});
export type WidgetTalk = z.infer<typeof WidgetTalk>;

export const WidgetFace = z.object({
  title: z.string(),
  greeting: z.string(),
  color: z.string(),
  disclosure: z.string(),
});
export type WidgetFace = z.infer<typeof WidgetFace>;

const VisitorHeaders = z.object({ [VISITOR_HEADER]: Visitor });
/** No id: whatever is no widget is not found. */
const WidgetParams = z.object({ id: z.string() });

/** Between the frame and the server. A browser that calls from another site's page is refused. */
export const visitorApi = {
  face: endpoint("GET /widget/:id/face", {
    access: "public",
    summary: "Чат на сайте: как он выглядит для посетителя",
    params: WidgetParams,
    output: WidgetFace,
  }),
  talk: endpoint("GET /widget/:id/talk", {
    access: "public",
    summary: "Разговор посетителя: строки после указанной и кто отвечает дальше",
    headers: VisitorHeaders,
    params: WidgetParams,
    query: z.object({
      /** Id of a line; 0: from the beginning. */
      after: z._default(
        z.coerce.number().check(z.int("Неверное место в разговоре"), z.gte(0, "Неверное место в разговоре")),
        0,
      ),
    }),
    output: WidgetTalk,
  }),
  say: endpoint("POST /widget/:id/messages", {
    access: "public",
    summary:
      "Сообщение посетителя. Ответ идёт потоком событий: open { disclosing }, delta { text } сколько угодно раз, затем done или error; " +
      "что осталось в разговоре, говорит talk",
    status: 200,
    headers: VisitorHeaders,
    params: WidgetParams,
    input: VisitorMessage,
  }),
};
