CREATE TABLE "last_backups" (
	"outcome" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"host" text NOT NULL,
	"bytes" bigint,
	"verified" boolean,
	"reason" text,
	CONSTRAINT "last_backups_outcome" CHECK (outcome in ('made', 'failed')),
	CONSTRAINT "last_backups_told" CHECK ((outcome = 'made') = (bytes is not null and verified is not null)),
	CONSTRAINT "last_backups_reason" CHECK ((outcome = 'failed') = (reason is not null))
);
--> statement-breakpoint
CREATE TABLE "request_logins" (
	"login" text NOT NULL,
	"fingerprint" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_logins_login_fingerprint_pk" PRIMARY KEY("login","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "server_processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"role" text NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	"backup_hours" double precision,
	"failed_requests" integer NOT NULL,
	"failed_jobs" integer NOT NULL,
	"model_replies" integer NOT NULL,
	"model_failures" integer NOT NULL,
	"delay_ms" integer NOT NULL,
	"worst_delay_ms" integer NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"heap_bytes" bigint NOT NULL,
	"heap_limit_bytes" bigint NOT NULL
);
