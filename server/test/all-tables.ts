/** Every table, for tests that look at all of them. The product imports each table from its own file. */
export * from "#server/platform/db/schema/accounts.ts";
export * from "#server/platform/db/schema/answers.ts";
export * from "#server/platform/db/schema/channels.ts";
export * from "#server/platform/db/schema/conversations.ts";
export * from "#server/platform/db/schema/exams.ts";
export * from "#server/platform/db/schema/imports.ts";
export * from "#server/platform/db/schema/knowledge.ts";
export * from "#server/platform/db/schema/media.ts";
export * from "#server/platform/db/schema/models.ts";
export * from "#server/platform/db/schema/operations.ts";
export * from "#server/platform/db/schema/owner-notices.ts";
export * from "#server/platform/db/schema/platform.ts";
export * from "#server/platform/db/schema/programs.ts";
export * from "#server/platform/db/schema/public-replies.ts";
export * from "#server/platform/db/schema/tools.ts";
export * from "#server/platform/db/schema/twins.ts";
