CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid,
	"type" text NOT NULL,
	"twin_name" text NOT NULL,
	"description" text NOT NULL,
	"conversation_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_key_usage" (
	"org_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"day" text NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "api_key_usage_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"token_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"daily_messages" integer NOT NULL,
	"daily_tokens" integer NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"org_id" uuid,
	"user_id" uuid,
	"action" text NOT NULL,
	"subject" text,
	"detail" jsonb
);
--> statement-breakpoint
CREATE TABLE "blind_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"right_answers" integer NOT NULL,
	"total" integer NOT NULL,
	"taken_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "business_connections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"name" text NOT NULL,
	"can_reply" boolean NOT NULL,
	"enabled" boolean NOT NULL,
	"order" bigint NOT NULL,
	"accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_state" (
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"key" text NOT NULL,
	"value" "bytea" NOT NULL,
	CONSTRAINT "channel_state_integration_id_key_pk" PRIMARY KEY("integration_id","key")
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chats_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"external_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chunks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chunks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"heading" text,
	"text" text NOT NULL,
	"audience" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"version" text NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"address_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_facts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"external_id" text NOT NULL,
	"name" text NOT NULL,
	"handle" text,
	"tone" text,
	"style_group" text,
	"consent" text,
	"consent_at" timestamp with time zone,
	"consent_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversation_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"role" text NOT NULL,
	"author" text,
	"content" text NOT NULL,
	"citations" jsonb,
	"duration_ms" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"platform" text DEFAULT 'test' NOT NULL,
	"contact_id" bigint,
	"user_id" uuid,
	"participant_name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"last_message" text,
	"integration_id" uuid,
	"external_id" text,
	"autonomy" text,
	"paused_until" timestamp with time zone,
	"away_told_at" timestamp with time zone,
	"opted_out_at" timestamp with time zone,
	"disclosed_at" timestamp with time zone,
	"reply_context" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"last_inbound_at" timestamp with time zone,
	"unread" integer DEFAULT 0 NOT NULL,
	"assignee_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "corrections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"question" text NOT NULL,
	"context" jsonb NOT NULL,
	"twin_reply" text NOT NULL,
	"text" text NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rewordings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"embedding_codes" "bytea",
	"embedding_model" text,
	"audience" bigint NOT NULL,
	"contact_id" bigint,
	"chat_id" bigint,
	"state" text DEFAULT 'active' NOT NULL,
	"case_kept" boolean DEFAULT true NOT NULL,
	"case_result" text,
	"case_before" text,
	"case_reply" text,
	"case_checked_at" timestamp with time zone,
	"fact_subject" "bytea",
	"created_by" uuid NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "corrections_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_usage" (
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"day" text NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"measured" integer DEFAULT 0 NOT NULL,
	"confidence_sum" double precision DEFAULT 0 NOT NULL,
	"duration_sum" bigint DEFAULT 0 NOT NULL,
	"embedding_tokens" bigint DEFAULT 0 NOT NULL,
	"model_tokens" bigint DEFAULT 0 NOT NULL,
	"model_told" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_usage_twin_id_day_pk" PRIMARY KEY("twin_id","day")
);
--> statement-breakpoint
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"done" bigint DEFAULT 0 NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"stored_name" text,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"cut_off" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	"kept_until" timestamp with time zone,
	CONSTRAINT "data_exports_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "data_exports_scope" CHECK (scope in ('account', 'organization')),
	CONSTRAINT "data_exports_state" CHECK (state in ('waiting', 'running', 'ready', 'failed')),
	CONSTRAINT "data_exports_reason" CHECK (reason in ('storage_full', 'no_space', 'broken', 'outdated', 'not_allowed'))
);
--> statement-breakpoint
CREATE TABLE "declined_replies" (
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "declined_replies_twin_id_content_hash_pk" PRIMARY KEY("twin_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'processed' NOT NULL,
	"content" text NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"mime" text DEFAULT 'text/plain' NOT NULL,
	"content_hash" text NOT NULL,
	"split_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embeddings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embeddings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"chunk_id" bigint,
	"reply_example_id" bigint,
	"open_reply_id" bigint,
	"model" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"codes" "bytea" NOT NULL,
	"signs" "bytea" NOT NULL,
	"piece_codes" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "embeddings_of_one" CHECK (num_nonnulls(chunk_id, reply_example_id, open_reply_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "export_uploads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"stored_name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"modified" bigint,
	"format" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "export_uploads_stored_name_unique" UNIQUE("stored_name")
);
--> statement-breakpoint
CREATE TABLE "fact_proposals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fact_proposals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"reply_example_id" bigint NOT NULL,
	"subject" "bytea" NOT NULL,
	"value" "bytea" NOT NULL,
	"question" text NOT NULL,
	"reply" text NOT NULL,
	"times" integer NOT NULL,
	"people" integer NOT NULL,
	"said_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'proposed' NOT NULL,
	"decided_at" timestamp with time zone,
	"correction_id" uuid,
	"replaced_id" uuid,
	CONSTRAINT "fact_proposals_state" CHECK (state in ('proposed', 'confirmed', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "fidelity_examples" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fidelity_examples_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"measure_id" bigint NOT NULL,
	"reply_example_id" bigint NOT NULL,
	"reply" text NOT NULL,
	"logit" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fidelity_measures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fidelity_measures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"lacking" text,
	"value" double precision,
	"low" double precision,
	"high" double precision,
	"verified" double precision,
	"indistinguishable" double precision,
	"ceiling" double precision,
	"floor" double precision,
	"copy_rate" double precision,
	"relevance" double precision,
	"own" integer NOT NULL,
	"held" integer NOT NULL,
	"people" integer NOT NULL,
	"duration_ms" integer NOT NULL,
	"measured_at" timestamp with time zone DEFAULT now() NOT NULL,
	"model" text,
	"voice_id" uuid,
	"voice_version" integer,
	"trial" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"mentions" text[] DEFAULT '{}' NOT NULL,
	"status" integer,
	"body" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_org_id_user_id_key_pk" PRIMARY KEY("org_id","user_id","key")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"stored_name" text,
	"integration_id" uuid,
	"position" jsonb,
	"waiting_until" timestamp with time zone,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"format" text,
	"incomplete" boolean DEFAULT false NOT NULL,
	"preview" jsonb,
	"owner_id" text,
	"chat_ids" text[],
	"consent_at" timestamp with time zone,
	"source_id" uuid,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"error" text,
	"cut_off" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbox_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"conversation_key" text NOT NULL,
	"position" bigint NOT NULL,
	"inbound" jsonb,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"message_id" bigint,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "index_segments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "index_segments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	"units" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integration_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "integration_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_reason" text,
	"credentials" "bytea" NOT NULL,
	"phone_number" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"autonomy" text DEFAULT 'draft' NOT NULL,
	"working_hours" jsonb,
	"send_failures" integer DEFAULT 0 NOT NULL,
	"send_paused_until" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"source_id" uuid,
	"messages_imported" integer DEFAULT 0 NOT NULL,
	"messages_handled" integer DEFAULT 0 NOT NULL,
	"last_sync_at" timestamp with time zone,
	"account" text,
	"account_id" text,
	"cursor" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failed_deliveries" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	"webhook_path" text,
	"webhook_secret" "bytea",
	"last_event_at" timestamp with time zone,
	"trouble" text,
	"limitation" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integrations_webhook_path_unique" UNIQUE("webhook_path")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"device_hash" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_user_id_device_hash_pk" PRIMARY KEY("user_id","device_hash")
);
--> statement-breakpoint
CREATE TABLE "letters_sent" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "letters_sent_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" uuid,
	"org_id" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "local_model_rules" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"set_by" uuid NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "local_models" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"catalogue_id" text,
	"stored_name" text NOT NULL,
	"bytes" bigint,
	"received" bigint DEFAULT 0 NOT NULL,
	"revision" text,
	"path" text,
	"sha256" text,
	"architecture" text,
	"context_tokens" integer,
	"token_bytes" double precision,
	"state" text NOT NULL,
	"problem" text,
	"allowed" boolean DEFAULT false NOT NULL,
	"chosen" boolean DEFAULT false NOT NULL,
	"held_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "local_models_catalogue_id_unique" UNIQUE("catalogue_id"),
	CONSTRAINT "local_models_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "local_models_kind" CHECK (kind in ('chat', 'embedder', 'reranker')),
	CONSTRAINT "local_models_state" CHECK (state in ('downloading', 'paused', 'uploading', 'ready', 'failed')),
	CONSTRAINT "local_models_served" CHECK (state = 'ready' or not (chosen or allowed))
);
--> statement-breakpoint
CREATE TABLE "login_failures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "login_failures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "master_keys" (
	"version" integer PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "master_keys_fingerprint_unique" UNIQUE("fingerprint")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_org_id_user_id_pk" PRIMARY KEY("org_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"chat_id" bigint NOT NULL,
	"contact_id" bigint,
	"from_owner" boolean NOT NULL,
	"external_id" text NOT NULL,
	"reply_to" text,
	"kind" text DEFAULT 'text' NOT NULL,
	"text" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"is_training_data" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_budgets" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"daily_tokens" bigint,
	"day" text DEFAULT '' NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"daily_money" bigint,
	"money" bigint DEFAULT 0 NOT NULL,
	"told" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "one_time_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "open_replies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "open_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"question" text NOT NULL,
	"reply" text NOT NULL,
	"people" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"contact_id" bigint,
	"reply_message_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "open_replies_of_one" CHECK ((origin = 'opened') = (reply_message_id is not null) and (origin = 'opened') = (contact_id is not null))
);
--> statement-breakpoint
CREATE TABLE "open_reply_witnesses" (
	"org_id" uuid NOT NULL,
	"open_reply_id" bigint NOT NULL,
	"reply_example_id" bigint NOT NULL,
	CONSTRAINT "open_reply_witnesses_open_reply_id_reply_example_id_pk" PRIMARY KEY("open_reply_id","reply_example_id")
);
--> statement-breakpoint
CREATE TABLE "organization_models" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"model_id" uuid,
	"set_by" uuid NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author" text,
	"question" text NOT NULL,
	"text" text NOT NULL,
	"original" text,
	"state" text NOT NULL,
	"reason" text,
	"confidence" double precision,
	"citations" jsonb,
	"duration_ms" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"end_asked" boolean DEFAULT false NOT NULL,
	"external_ids" text[] DEFAULT '{}' NOT NULL,
	"decided_by" uuid,
	"teaches" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "owner_chats" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"code_hash" text,
	"code_expires_at" timestamp with time zone,
	"chat_id" text,
	"name" text,
	"linked_at" timestamp with time zone,
	"wait_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"owner_chat_id" uuid NOT NULL,
	"outbox_id" uuid,
	"message_ids" text[] DEFAULT '{}' NOT NULL,
	"version" text,
	"sending_since" timestamp with time zone,
	"end_asked" boolean DEFAULT false NOT NULL,
	"doubtful" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"asked_in" text,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"plan_id" text NOT NULL,
	"amount" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_models" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"revision" uuid NOT NULL,
	"preset" text NOT NULL,
	"base_url" text NOT NULL,
	"auth_url" text,
	"model" text NOT NULL,
	"api_key" "bytea",
	"scope" text,
	"may_be_private" boolean DEFAULT false NOT NULL,
	"currency" text NOT NULL,
	"input_price" bigint,
	"output_price" bigint,
	"enabled" boolean NOT NULL,
	"set_by" uuid NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reply_examples" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reply_examples_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"chat_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"incoming" text NOT NULL,
	"reply" text NOT NULL,
	"reply_message_id" bigint NOT NULL,
	"replied_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reply_feedback" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reply_feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"message_id" bigint,
	"outbox_id" uuid,
	"user_id" uuid NOT NULL,
	"rating" integer,
	"comment" text,
	"correction" text,
	"settled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reply_feedback_outbox_id_unique" UNIQUE("outbox_id"),
	CONSTRAINT "reply_feedback_of_one" CHECK (num_nonnulls(message_id, outbox_id) = 1 and (outbox_id is null or correction is not null)
        and (message_id is null or num_nonnulls(rating, correction) > 0))
);
--> statement-breakpoint
CREATE TABLE "reply_proposals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reply_proposals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"reply_example_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"people" integer NOT NULL,
	"skipped" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"enabled_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"mailed" boolean NOT NULL,
	"seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"cookie_hash" text,
	"user_id" uuid NOT NULL,
	"org_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"device" text,
	"ip" text,
	"fresh_at" timestamp with time zone,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "set_aside_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"raw" jsonb,
	"state" text DEFAULT 'aside' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"bound_hash" text NOT NULL,
	"user_id" uuid,
	"method" text,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_challenges_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"platform" text NOT NULL,
	"external_id" text,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"last_import_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"price" integer NOT NULL,
	"billing_period" text DEFAULT 'month' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"features" text[] DEFAULT '{}' NOT NULL,
	"place" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "telegram_logins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state" "bytea",
	"failures" integer DEFAULT 0 NOT NULL,
	"busy_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "twin_stops" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"stopped_by" uuid NOT NULL,
	"stopped_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "twin_versions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"author_id" uuid,
	"snapshot" jsonb NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "twin_versions_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "twins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"public_name" text,
	"description" text NOT NULL,
	"personality" text NOT NULL,
	"communication_style" text NOT NULL,
	"expertise" text[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'training' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"style_accuracy" double precision,
	"style_profile" jsonb,
	"knowledge_revision" bigint DEFAULT 0 NOT NULL,
	"trained_revision" bigint DEFAULT -1 NOT NULL,
	"training_stage" text,
	"training_progress" double precision DEFAULT 1 NOT NULL,
	"training_error" text,
	"training_cut_off" integer DEFAULT 0 NOT NULL,
	"embedding_model" text,
	"embedding_revision" bigint DEFAULT -1 NOT NULL,
	"embedding_error" text,
	"embedding_cut_off" integer DEFAULT 0 NOT NULL,
	"facts_revision" bigint DEFAULT -1 NOT NULL,
	"daily_model_tokens" bigint,
	"last_trained_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_telegram_logins" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text,
	"email_confirmed_at" timestamp with time zone,
	"password_hash" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"telegram_id" text,
	"telegram_username" text,
	"photo_url" text,
	"auth_method" text NOT NULL,
	"super_admin" boolean DEFAULT false NOT NULL,
	"consent_version" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_telegram_id_unique" UNIQUE("telegram_id")
);
--> statement-breakpoint
CREATE TABLE "voice_adapters" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"version" integer,
	"file_name" text NOT NULL,
	"stored_name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"modified" bigint,
	"base_name" text,
	"base_shape" text,
	"rank" integer,
	"sha256" text,
	"active" boolean DEFAULT false NOT NULL,
	"failed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voice_adapters_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "voice_adapters_whole" CHECK (version is not null or not active)
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"conversation_id" uuid,
	"event" text NOT NULL,
	"payload" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"error" text,
	"sending_since" timestamp with time zone,
	"end_asked" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"include_texts" boolean NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "widget_addresses" (
	"org_id" uuid NOT NULL,
	"widget_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"day" text NOT NULL,
	"messages" integer NOT NULL,
	"hour" integer NOT NULL,
	"hour_messages" integer NOT NULL,
	CONSTRAINT "widget_addresses_widget_id_address_hash_pk" PRIMARY KEY("widget_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "widgets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"allowed_sites" text[] DEFAULT '{}' NOT NULL,
	"title" text NOT NULL,
	"greeting" text NOT NULL,
	"color" text NOT NULL,
	"daily_messages" integer NOT NULL,
	"usage_day" text DEFAULT '' NOT NULL,
	"usage_messages" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "widgets_twin_id_unique" UNIQUE("twin_id"),
	CONSTRAINT "widgets_integration_id_unique" UNIQUE("integration_id")
);
--> statement-breakpoint
-- By drizzle-kit all but the place of this line: foreign keys refer to it.
CREATE UNIQUE INDEX "chats_place" ON "chats" USING btree ("id","twin_id","org_id");--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blind_tests" ADD CONSTRAINT "blind_tests_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blind_tests" ADD CONSTRAINT "blind_tests_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "business_connections" ADD CONSTRAINT "business_connections_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "business_connections" ADD CONSTRAINT "business_connections_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_state" ADD CONSTRAINT "channel_state_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_state" ADD CONSTRAINT "channel_state_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_facts" ADD CONSTRAINT "contact_facts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_facts" ADD CONSTRAINT "contact_facts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD CONSTRAINT "daily_usage_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD CONSTRAINT "daily_usage_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declined_replies" ADD CONSTRAINT "declined_replies_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declined_replies" ADD CONSTRAINT "declined_replies_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_chunk_id_chunks_id_fk" FOREIGN KEY ("chunk_id") REFERENCES "public"."chunks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_open_reply_id_open_replies_id_fk" FOREIGN KEY ("open_reply_id") REFERENCES "public"."open_replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_uploads" ADD CONSTRAINT "export_uploads_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_uploads" ADD CONSTRAINT "export_uploads_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_correction_id_corrections_id_fk" FOREIGN KEY ("correction_id") REFERENCES "public"."corrections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_replaced_id_corrections_id_fk" FOREIGN KEY ("replaced_id") REFERENCES "public"."corrections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_measure_id_fidelity_measures_id_fk" FOREIGN KEY ("measure_id") REFERENCES "public"."fidelity_measures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD CONSTRAINT "fidelity_measures_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD CONSTRAINT "fidelity_measures_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD CONSTRAINT "fidelity_measures_voice_id_voice_adapters_id_fk" FOREIGN KEY ("voice_id") REFERENCES "public"."voice_adapters"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "index_segments" ADD CONSTRAINT "index_segments_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "index_segments" ADD CONSTRAINT "index_segments_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_events" ADD CONSTRAINT "integration_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_events" ADD CONSTRAINT "integration_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters_sent" ADD CONSTRAINT "letters_sent_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters_sent" ADD CONSTRAINT "letters_sent_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_model_rules" ADD CONSTRAINT "local_model_rules_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_place" FOREIGN KEY ("chat_id","twin_id","org_id") REFERENCES "public"."chats"("id","twin_id","org_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_budgets" ADD CONSTRAINT "model_budgets_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_reply_message_id_messages_id_fk" FOREIGN KEY ("reply_message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_open_reply_id_open_replies_id_fk" FOREIGN KEY ("open_reply_id") REFERENCES "public"."open_replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_models" ADD CONSTRAINT "organization_models_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_models" ADD CONSTRAINT "organization_models_model_id_local_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."local_models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_owner_chat_id_owner_chats_id_fk" FOREIGN KEY ("owner_chat_id") REFERENCES "public"."owner_chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_outbox_id_outbox_id_fk" FOREIGN KEY ("outbox_id") REFERENCES "public"."outbox"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_plan_id_subscription_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."subscription_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_models" ADD CONSTRAINT "remote_models_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_examples" ADD CONSTRAINT "reply_examples_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_examples" ADD CONSTRAINT "reply_examples_reply_message_id_messages_id_fk" FOREIGN KEY ("reply_message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_examples" ADD CONSTRAINT "reply_examples_place" FOREIGN KEY ("chat_id","twin_id","org_id") REFERENCES "public"."chats"("id","twin_id","org_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_outbox_id_outbox_id_fk" FOREIGN KEY ("outbox_id") REFERENCES "public"."outbox"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_notices" ADD CONSTRAINT "security_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "set_aside_events" ADD CONSTRAINT "set_aside_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "set_aside_events" ADD CONSTRAINT "set_aside_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_subscription_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."subscription_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_logins" ADD CONSTRAINT "telegram_logins_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_logins" ADD CONSTRAINT "telegram_logins_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_logins" ADD CONSTRAINT "telegram_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_stops" ADD CONSTRAINT "twin_stops_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_versions" ADD CONSTRAINT "twin_versions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_versions" ADD CONSTRAINT "twin_versions_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twins" ADD CONSTRAINT "twins_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twins" ADD CONSTRAINT "twins_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_adapters" ADD CONSTRAINT "voice_adapters_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_adapters" ADD CONSTRAINT "voice_adapters_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widget_addresses" ADD CONSTRAINT "widget_addresses_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widget_addresses" ADD CONSTRAINT "widget_addresses_widget_id_widgets_id_fk" FOREIGN KEY ("widget_id") REFERENCES "public"."widgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_org" ON "activity" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "activity_twin" ON "activity" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "activity_conversation" ON "activity" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "api_key_usage_org" ON "api_key_usage" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "api_keys_twin" ON "api_keys" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "api_keys_org" ON "api_keys" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "audit_log_org" ON "audit_log" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "blind_tests_twin" ON "blind_tests" USING btree ("twin_id","taken_at");--> statement-breakpoint
CREATE INDEX "blind_tests_org" ON "blind_tests" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "business_connections_once" ON "business_connections" USING btree ("integration_id","external_id");--> statement-breakpoint
CREATE INDEX "business_connections_org" ON "business_connections" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "channel_state_org" ON "channel_state" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chats_external" ON "chats" USING btree ("twin_id","platform","external_id");--> statement-breakpoint
CREATE INDEX "chats_source" ON "chats" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "chunks_twin" ON "chunks" USING btree ("twin_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "chunks_document" ON "chunks" USING btree ("document_id","ordinal");--> statement-breakpoint
CREATE UNIQUE INDEX "consents_once" ON "consents" USING btree ("user_id","version");--> statement-breakpoint
CREATE INDEX "contact_facts_contact" ON "contact_facts" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "contact_facts_org" ON "contact_facts" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_external" ON "contacts" USING btree ("twin_id","platform","external_id");--> statement-breakpoint
CREATE INDEX "conversation_messages_order" ON "conversation_messages" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "conversation_notes_place" ON "conversation_notes" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "conversation_notes_org" ON "conversation_notes" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_external" ON "conversations" USING btree ("integration_id","external_id");--> statement-breakpoint
CREATE INDEX "conversations_org" ON "conversations" USING btree ("org_id","updated_at");--> statement-breakpoint
CREATE INDEX "conversations_twin" ON "conversations" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "corrections_twin" ON "corrections" USING btree ("twin_id","state","place");--> statement-breakpoint
CREATE INDEX "corrections_contact" ON "corrections" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "corrections_chat" ON "corrections" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "corrections_org" ON "corrections" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "daily_usage_org" ON "daily_usage" USING btree ("org_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "data_exports_one" ON "data_exports" USING btree ("org_id","user_id","scope");--> statement-breakpoint
CREATE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "data_exports_end" ON "data_exports" USING btree ("kept_until");--> statement-breakpoint
CREATE INDEX "declined_replies_org" ON "declined_replies" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "documents_org" ON "documents" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_twin_content" ON "documents" USING btree ("twin_id","content_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_chunk" ON "embeddings" USING btree ("chunk_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_reply_example" ON "embeddings" USING btree ("reply_example_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_open_reply" ON "embeddings" USING btree ("open_reply_id");--> statement-breakpoint
CREATE INDEX "embeddings_twin" ON "embeddings" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "embeddings_content" ON "embeddings" USING btree ("twin_id","content_hash");--> statement-breakpoint
CREATE INDEX "embeddings_org" ON "embeddings" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "export_uploads_org" ON "export_uploads" USING btree ("org_id","user_id");--> statement-breakpoint
CREATE INDEX "export_uploads_twin" ON "export_uploads" USING btree ("twin_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fact_proposals_once" ON "fact_proposals" USING btree ("twin_id","subject","value");--> statement-breakpoint
CREATE INDEX "fact_proposals_reply_example" ON "fact_proposals" USING btree ("reply_example_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_correction" ON "fact_proposals" USING btree ("correction_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_replaced" ON "fact_proposals" USING btree ("replaced_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_org" ON "fact_proposals" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "fidelity_examples_measure" ON "fidelity_examples" USING btree ("measure_id");--> statement-breakpoint
CREATE INDEX "fidelity_examples_reply_example" ON "fidelity_examples" USING btree ("reply_example_id");--> statement-breakpoint
CREATE INDEX "fidelity_examples_org" ON "fidelity_examples" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "fidelity_measures_twin" ON "fidelity_measures" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "fidelity_measures_org" ON "fidelity_measures" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "fidelity_measures_voice" ON "fidelity_measures" USING btree ("voice_id");--> statement-breakpoint
CREATE INDEX "imports_twin" ON "imports" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_org" ON "imports" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_integration" ON "imports" USING btree ("integration_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_events_once" ON "inbox_events" USING btree ("integration_id","event_id");--> statement-breakpoint
CREATE INDEX "inbox_events_open" ON "inbox_events" USING btree ("integration_id","conversation_key") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "inbox_events_failed" ON "inbox_events" USING btree ("integration_id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "inbox_events_message" ON "inbox_events" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "inbox_events_org" ON "inbox_events" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "index_segments_place" ON "index_segments" USING btree ("twin_id","kind","first_id");--> statement-breakpoint
CREATE INDEX "integration_events_place" ON "integration_events" USING btree ("integration_id","id");--> statement-breakpoint
CREATE INDEX "integration_events_org" ON "integration_events" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "integrations_org" ON "integrations" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "integrations_twin" ON "integrations" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "integrations_source" ON "integrations" USING btree ("source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_email" ON "invitations" USING btree ("org_id","email");--> statement-breakpoint
CREATE INDEX "letters_sent_recipient" ON "letters_sent" USING btree ("recipient","kind","at");--> statement-breakpoint
CREATE INDEX "letters_sent_user" ON "letters_sent" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "letters_sent_org" ON "letters_sent" USING btree ("org_id","at");--> statement-breakpoint
CREATE INDEX "letters_sent_at" ON "letters_sent" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "local_models_chosen" ON "local_models" USING btree ("kind") WHERE chosen;--> statement-breakpoint
CREATE INDEX "login_failures_key" ON "login_failures" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_external" ON "messages" USING btree ("chat_id","external_id");--> statement-breakpoint
CREATE INDEX "messages_chat_time" ON "messages" USING btree ("chat_id","sent_at","id");--> statement-breakpoint
CREATE INDEX "messages_time" ON "messages" USING btree ("org_id","sent_at","id");--> statement-breakpoint
CREATE INDEX "messages_twin" ON "messages" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "messages_contact" ON "messages" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "open_replies_twin" ON "open_replies" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "open_replies_org" ON "open_replies" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "open_replies_contact" ON "open_replies" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "open_replies_reply" ON "open_replies" USING btree ("reply_message_id");--> statement-breakpoint
CREATE INDEX "open_reply_witnesses_reply_example" ON "open_reply_witnesses" USING btree ("reply_example_id");--> statement-breakpoint
CREATE INDEX "open_reply_witnesses_org" ON "open_reply_witnesses" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "organization_models_model" ON "organization_models" USING btree ("model_id");--> statement-breakpoint
CREATE INDEX "outbox_org" ON "outbox" USING btree ("org_id","state","created_at");--> statement-breakpoint
CREATE INDEX "outbox_conversation" ON "outbox" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "outbox_integration" ON "outbox" USING btree ("integration_id");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "owner_chats_member" ON "owner_chats" USING btree ("integration_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "owner_chats_chat" ON "owner_chats" USING btree ("integration_id","chat_id");--> statement-breakpoint
CREATE INDEX "owner_chats_org" ON "owner_chats" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "owner_chats_user" ON "owner_chats" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "owner_notices_once" ON "owner_notices" USING btree ("owner_chat_id","outbox_id");--> statement-breakpoint
CREATE INDEX "owner_notices_outbox" ON "owner_notices" USING btree ("outbox_id");--> statement-breakpoint
CREATE INDEX "owner_notices_open" ON "owner_notices" USING btree ("owner_chat_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "owner_notices_org" ON "owner_notices" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payments_org" ON "payments" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id","code_hash");--> statement-breakpoint
CREATE INDEX "reply_examples_twin" ON "reply_examples" USING btree ("twin_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reply_examples_reply" ON "reply_examples" USING btree ("reply_message_id");--> statement-breakpoint
CREATE INDEX "reply_examples_chat" ON "reply_examples" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "reply_examples_contact" ON "reply_examples" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reply_feedback_once" ON "reply_feedback" USING btree ("message_id","user_id");--> statement-breakpoint
CREATE INDEX "reply_feedback_twin" ON "reply_feedback" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "reply_feedback_org" ON "reply_feedback" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reply_proposals_reply_example" ON "reply_proposals" USING btree ("reply_example_id");--> statement-breakpoint
CREATE INDEX "reply_proposals_twin" ON "reply_proposals" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "reply_proposals_org" ON "reply_proposals" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "security_notices_user" ON "security_notices" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "set_aside_events_once" ON "set_aside_events" USING btree ("integration_id","name");--> statement-breakpoint
CREATE INDEX "set_aside_events_org" ON "set_aside_events" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_user" ON "sign_in_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_end" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sources_twin" ON "sources" USING btree ("twin_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sources_external" ON "sources" USING btree ("twin_id","kind","platform","external_id");--> statement-breakpoint
CREATE INDEX "telegram_logins_user" ON "telegram_logins" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "telegram_logins_org" ON "telegram_logins" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "telegram_logins_twin" ON "telegram_logins" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "twin_versions_twin" ON "twin_versions" USING btree ("twin_id","place");--> statement-breakpoint
CREATE INDEX "twin_versions_org" ON "twin_versions" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "twins_org" ON "twins" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "voice_adapters_org" ON "voice_adapters" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "voice_adapters_version" ON "voice_adapters" USING btree ("twin_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "voice_adapters_active" ON "voice_adapters" USING btree ("twin_id") WHERE active;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("webhook_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_conversation" ON "webhook_deliveries" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_org" ON "webhook_deliveries" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhooks_twin" ON "webhooks" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "webhooks_org" ON "webhooks" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "widget_addresses_org" ON "widget_addresses" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "widget_addresses_day" ON "widget_addresses" USING btree ("day");--> statement-breakpoint
CREATE INDEX "widgets_org" ON "widgets" USING btree ("org_id");
