/** What a twin was after each training and each saved change: to compare, and to go back to. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const VersionCause = z.enum(["before", "training", "settings", "corrections", "restored"]);
export type VersionCause = z.infer<typeof VersionCause>;

export const TwinVersion = z.object({
  id: z.string(),
  /** before: as it was when its first change was saved. */
  cause: VersionCause,
  /** null: nobody saved it, a training ended. */
  author: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** In what it differs from the one before: «Описание», «Исправления». */
  changed: z.array(z.string()),
});
export type TwinVersion = z.infer<typeof TwinVersion>;

/** A text or a figure in two versions; null where one of them has none. */
export const VersionChange = z.object({
  name: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type VersionChange = z.infer<typeof VersionChange>;

/** What leads from the older of two versions to the newer. */
export const VersionComparison = z.object({
  older: z.string(),
  newer: z.string(),
  /** Descriptions and settings, then corrections, then figures of the style. */
  settings: z.array(VersionChange),
  corrections: z.array(VersionChange),
  style: z.array(VersionChange),
});
export type VersionComparison = z.infer<typeof VersionComparison>;

const VersionParams = z.extend(IdParams, { versionId: z.uuid("Неверный идентификатор") });

export const versionsApi = {
  list: endpoint("GET /api/digital-twins/:id/versions", {
    access: "signed-in",
    summary: "Версии двойника, новые сверху",
    params: IdParams,
    output: z.array(TwinVersion),
  }),
  compare: endpoint("GET /api/digital-twins/:id/versions/:versionId", {
    access: "signed-in",
    summary: "Чем версия отличается от другой; без with — от нынешней",
    params: VersionParams,
    query: z.object({ with: z.optional(z.uuid("Неверный идентификатор")) }),
    output: VersionComparison,
  }),
  restore: endpoint("POST /api/digital-twins/:id/versions/:versionId/restore", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Вернуть версию; нынешняя остаётся в списке",
    params: VersionParams,
    output: TwinVersion,
    status: 201,
  }),
};
