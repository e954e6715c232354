import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { KNOWLEDGE } from "../tags.ts";
import { IdParams } from "../twins.ts";
import { DocumentType } from "./knowledge.ts";

/** Maximum number of pages of one crawl. */
export const MAX_SITE_PAGES = 200;
/** Maximum number of links between the start page and a page. */
export const MAX_SITE_DEPTH = 4;
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;
/** Maximum size of all pages of one crawl. */
export const MAX_SITE_BYTES = 50 * 1024 * 1024;
/** Maximum number of websites per organisation. */
export const MAX_WEBSITES = 20;

const ADDRESS = "Введите адрес сайта, например example.ru";

export const WebsiteInput = z.object({
  digitalTwinId: z.uuid("Выберите цифрового двойника"),
  url: z.string(ADDRESS).check(z.trim(), z.minLength(1, ADDRESS), z.maxLength(2000, "Слишком длинный адрес")),
  type: DocumentType,
  /** The caller's confirmation that the website is his own or that he may use its texts. */
  own: z.literal(true, "Подтвердите, что сайт ваш или вам разрешено использовать его тексты"),
});
export type WebsiteInput = z.infer<typeof WebsiteInput>;

export const Website = z.object({
  id: z.string(),
  digitalTwinId: z.string(),
  digitalTwinName: z.string(),
  url: z.string(),
  type: DocumentType,
  /** `reading` includes waiting in the queue; `ready` means that the crawl reached its end or one of its limits. */
  state: z.enum(["reading", "ready", "cancelled", "failed"]),
  /** Why the crawl ended early or left pages out, as a Russian sentence; null when it did neither. */
  reason: z.nullable(z.string()),
  pages: z.object({
    found: z.number(),
    read: z.number(),
    documents: z.number(),
    /** Number of documents that this crawl has added. */
    added: z.number(),
    /** Number of documents that this crawl has replaced. */
    changed: z.number(),
    /** Number of documents that it has removed, because their page no longer exists. */
    gone: z.number(),
  }),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
});
export type Website = z.infer<typeof Website>;

export const WebsitePage = z.object({
  url: z.string(),
  /** `left`: the page is no document, `reason` says why; `failed`: the page could not be read and its previous document stays. */
  state: z.enum(["waiting", "document", "left", "failed"]),
  reason: z.nullable(z.string()),
  documentId: z.nullable(z.string()),
  /** How this crawl changed the page's document; null when it is unchanged. */
  change: z.nullable(z.enum(["added", "changed", "gone"])),
  readAt: z.nullable(z.string()),
});
export type WebsitePage = z.infer<typeof WebsitePage>;

const one = { access: "editor", params: IdParams } as const;

export const websitesApi = {
  list: endpoint("GET /api/knowledge/websites", {
    access: "signed-in",
    tags: ["documents"],
    summary: "Сайты, страницы которых стали документами",
    output: z.array(Website),
  }),
  create: endpoint("POST /api/knowledge/websites", {
    access: "editor",
    refreshes: KNOWLEDGE,
    summary: `Прочитать свой сайт: до ${MAX_SITE_PAGES} страниц, не чаще одной в секунду, по правилам robots.txt`,
    input: WebsiteInput,
    output: Website,
    status: 201,
  }),
  pages: endpoint("GET /api/knowledge/websites/:id/pages", {
    access: "signed-in",
    tags: ["documents"],
    summary: "Страницы сайта: что с каждой стало",
    params: IdParams,
    output: z.array(WebsitePage),
  }),
  read: endpoint("POST /api/knowledge/websites/:id/read", {
    ...one,
    refreshes: KNOWLEDGE,
    summary: "Прочитать сайт снова: заменяются только изменившиеся страницы",
    output: Website,
    status: 202,
  }),
  cancel: endpoint("POST /api/knowledge/websites/:id/cancel", {
    ...one,
    refreshes: KNOWLEDGE,
    summary: "Остановить чтение сайта; прочитанное остаётся",
    output: Website,
  }),
  remove: endpoint("DELETE /api/knowledge/websites/:id", {
    ...one,
    refreshes: KNOWLEDGE,
    summary: "Удалить сайт со всеми документами, которыми стали его страницы",
  }),
};
