import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { OrganizationParams } from "./organizations.ts";

const bytes = z.number();

/** Measured now. What an organisation uploads may take `limitBytes` together; beyond it uploads are refused with 413. */
export const OrganizationStorage = z.object({
  usedBytes: bytes,
  limitBytes: bytes,
  /** Export files that arrive, wait or are being read; a file on its way counts whole. */
  uploadsBytes: bytes,
  documentsBytes: bytes,
  indexesBytes: bytes,
  /** The server's own disk: `low` soon refuses uploads of everybody, `full` does. */
  disk: z.enum(["enough", "low", "full"]),
});
export type OrganizationStorage = z.infer<typeof OrganizationStorage>;

/** From this share on an organisation is told that its space ends. */
export const STORAGE_WARNING_SHARE = 0.8;

export const PlatformDisk = z.object({
  totalBytes: bytes,
  freeBytes: bytes,
  /** Uploads leave so much free. */
  floorBytes: bytes,
  disk: OrganizationStorage.shape.disk,
  /** Export files of all organisations. */
  uploadsBytes: bytes,
  /** What each organisation may use. */
  organizationBytes: bytes,
});
export type PlatformDisk = z.infer<typeof PlatformDisk>;

export const storageApi = {
  organization: endpoint("GET /api/organizations/:orgId/storage", {
    access: "signed-in",
    summary: "Сколько места занято и сколько есть",
    params: OrganizationParams,
    output: OrganizationStorage,
  }),
  platform: endpoint("GET /api/admin/platform/disk", {
    access: "super_admin",
    summary: "Место на диске сервера",
    output: PlatformDisk,
  }),
};
