/**
 * Column types that all tables share. Every tenant table has an `orgId` column and is protected by row-level security
 * (`protect_tenant_table` of the migrations). The role of requests has no access to the tables in `PLATFORM_TABLES` of platform.ts.
 */
import { bigint, customType, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { SECRECIES } from "./secrecy.ts";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const serialId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const uuidId = () => uuid("id").primaryKey().defaultRandom();

export const createdAt = () => at("created_at").notNull().defaultNow();

/** Secrecy of the row's texts (platform/db/schema). The code that inserts the row sets it. */
export const secrecy = () => text("secrecy", { enum: SECRECIES }).notNull();
