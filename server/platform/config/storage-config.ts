import type * as z from "zod";
import type { Environment } from "./environment.ts";

/** A bucket of S3-compatible storage (docs/decisions/012-file-storage-and-disk-quotas.md). */
export interface StorageConfig {
  /** Origin, without a trailing slash. */
  endpoint: string;
  bucket: string;
  /** Prefix of each object's key; empty, or ends with a slash. */
  prefix: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

export function storageOf({
  STORAGE_URL,
  STORAGE_KEY,
  STORAGE_SECRET,
}: z.infer<typeof Environment>): StorageConfig | null {
  if (STORAGE_URL === undefined) return null;
  const { origin, pathname, searchParams } = new URL(STORAGE_URL);
  const [bucket, ...folders] = pathname.split("/").filter(Boolean) as [string, ...string[]];
  return {
    ...{ endpoint: origin, bucket, prefix: folders.map((folder) => `${folder}/`).join("") },
    region: searchParams.get("region") ?? "us-east-1",
    ...{ accessKey: STORAGE_KEY!, secretKey: STORAGE_SECRET! },
  };
}
