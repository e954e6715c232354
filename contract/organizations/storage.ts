import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "./organization-params.ts";

const bytes = z.number();

/** Current storage. All uploads of an organisation together may take `limitBytes`; beyond that uploads are rejected with 413. */
export const OrganizationStorage = z.object({
  usedBytes: bytes,
  limitBytes: bytes,
  /** Export files that are being uploaded, waiting or being read; an unfinished upload counts with its full size. */
  uploadsBytes: bytes,
  documentsBytes: bytes,
  indexesBytes: bytes,
  mediaBytes: bytes,
  /** State of the server's disk. `low`: uploads of all organisations will soon be rejected; `full`: they are rejected. */
  disk: z.enum(["enough", "low", "full"]),
});
export type OrganizationStorage = z.infer<typeof OrganizationStorage>;

export const STORAGE_WARNING_SHARE = 0.8;

export const PlatformDisk = z.object({
  totalBytes: bytes,
  freeBytes: bytes,
  /** Free disk space in bytes that uploads must leave. */
  floorBytes: bytes,
  disk: OrganizationStorage.shape.disk,
  /** Bytes of export files and originals of media of all organisations. */
  uploadsBytes: bytes,
  organizationBytes: bytes,
});
export type PlatformDisk = z.infer<typeof PlatformDisk>;

export const storageApi = {
  organization: endpoint("GET /api/organizations/:orgId/storage", {
    access: "signed-in",
    tags: ["organization", "storage"],
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
