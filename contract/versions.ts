/** Versions of a twin, made after each training and each saved change. They can be compared and restored. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const VersionCause = z.enum(["before", "training", "settings", "corrections", "restored"]);
export type VersionCause = z.infer<typeof VersionCause>;

export const TwinVersion = z.object({
  id: z.string(),
  /** `before` is the state before the twin's first saved change. */
  cause: VersionCause,
  /** null when a training made the version. */
  author: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  changed: z.array(z.string()),
});
export type TwinVersion = z.infer<typeof TwinVersion>;

/** A text or a figure in two versions; null where a version has none. */
export const VersionChange = z.object({
  name: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type VersionChange = z.infer<typeof VersionChange>;

export const VersionComparison = z.object({
  older: z.string(),
  newer: z.string(),
  /** Differences in descriptions and settings, then in corrections, then in figures of the style profile. */
  settings: z.array(VersionChange),
  corrections: z.array(VersionChange),
  style: z.array(VersionChange),
});
export type VersionComparison = z.infer<typeof VersionComparison>;

const VersionParams = z.extend(IdParams, { versionId: z.uuid("Неверный идентификатор") });

export const versionsApi = {
  list: endpoint("GET /api/digital-twins/:id/versions", {
    access: "signed-in",
    tags: ["twins"],
    summary: "Версии двойника, новые сверху",
    params: IdParams,
    output: z.array(TwinVersion),
  }),
  compare: endpoint("GET /api/digital-twins/:id/versions/:versionId", {
    access: "signed-in",
    tags: ["twins"],
    summary: "Чем версия отличается от другой; без with — от нынешней",
    params: VersionParams,
    query: z.object({ with: z.optional(z.uuid("Неверный идентификатор")) }),
    output: VersionComparison,
  }),
  restore: endpoint("POST /api/digital-twins/:id/versions/:versionId/restore", {
    access: "editor",
    refreshes: ["twins"],
    beforeConfirmation: true,
    summary: "Вернуть версию; нынешняя остаётся в списке",
    params: VersionParams,
    output: TwinVersion,
    status: 201,
  }),
};
