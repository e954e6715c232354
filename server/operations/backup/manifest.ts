/** Metadata of a backup: its first entry says what it is, its last one how much was written of each part. */
import * as z from "zod";
import { isPlainName } from "./archive.ts";

/** Increase it when a reader of the former format could misread the new one. */
export const FORMAT = 1;

const Name = z.string().max(100).refine(isPlainName);
const Digest = z.string().regex(/^[0-9a-f]{64}$/);

export const Manifest = z.object({
  format: z.number().int().positive(),
  product: z.string().max(50),
  engine: z.enum(["embedded", "postgres"]),
  at: z.iso.datetime(),
  /** Migrations that its database has run, oldest first. */
  migrations: z.array(z.object({ hash: z.string().max(200), at: z.number() })).max(10_000),
  tables: z.array(z.object({ name: Name, columns: z.array(z.string().max(100)).max(1000) })).max(10_000),
  /** Names of local models. Their files are not included, because they can be downloaded again. */
  models: z.array(z.string().max(500)).max(10_000),
});
export type Manifest = z.infer<typeof Manifest>;

/** Master keys, base64; the first one encrypts new values. */
export const MasterKeyList = z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/)).max(100);

export const Sequences = z
  .array(z.object({ table: z.string().max(100), column: z.string().max(100), value: z.string().regex(/^\d{1,19}$/) }))
  .max(10_000);
export type Sequences = z.infer<typeof Sequences>;

export const Checksum = z.object({ rows: z.number().int(), bytes: z.number().int(), sha256: Digest });
export type Checksum = z.infer<typeof Checksum>;
export const Checksums = z.object({
  tables: z.record(z.string(), Checksum),
  files: z.record(z.string(), Checksum.omit({ rows: true })),
});
export type Checksums = z.infer<typeof Checksums>;

/** Pseudo-table besides the product's tables: the waiting jobs, without pg-boss's own metadata. */
export const QUEUE = { name: "queue", columns: ["name", "data", "start_after"] };
export const [TABLES, FILES] = ["tables/", "files/"];
