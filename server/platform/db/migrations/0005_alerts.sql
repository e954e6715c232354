CREATE TABLE "alerts" (
	"server" text NOT NULL,
	"problem" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"seen" timestamp with time zone NOT NULL,
	"failure_since" timestamp with time zone,
	"failure_seen" timestamp with time zone,
	"told_at" timestamp with time zone,
	"told_as" text,
	"times" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	CONSTRAINT "alerts_server_problem_pk" PRIMARY KEY("server","problem"),
	CONSTRAINT "alerts_told_as" CHECK (told_as in ('attention', 'failure'))
);
