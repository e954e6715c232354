import { type DestinationStream, type Logger, pino } from "pino";
import { withoutSecrets } from "#server/platform/secrets/secret-patterns.ts";

export type Log = Logger;

/** Structured log on stderr. Anything that could be a credential is masked, and errors are stripped of people's texts. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutValues },
      // All messages are masked, because a provider's message may quote the URL that was called, including a password.
      hooks: { streamWrite: withoutSecrets },
      redact: {
        paths: [
          // Fastify's plugins log request headers at level trace.
          "*.headers.authorization",
          "*.headers.cookie",
          "*.password",
          "*.token",
          "*.apiKey",
          "*.apiHash",
          "*.authorization",
          "*.cookie",
        ],
        censor: "[скрыто]",
      },
    },
    destination ?? pino.destination(2),
  );
}

interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  /** Stack frames only. */
  stack?: string;
  cause?: LoggedError;
}

/** Follows nested causes up to a limit, so that a cycle ends. */
const DEEPEST_CAUSE = 6;

/**
 * An error for the log. A failed query's message lists its parameters and PostgreSQL's `detail` quotes the row, with messages,
 * addresses and token hashes. The statement, the code and the stack are enough to find a bug.
 */
function withoutValues(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as Error & { code?: unknown };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.constructor.name,
    message: "query" in error && "params" in error ? `Failed query: ${String(error.query)}` : error.message,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(frames.length > 0 ? { stack: frames.join("\n") } : {}),
    ...(error.cause instanceof Error && depth < DEEPEST_CAUSE
      ? { cause: withoutValues(error.cause, depth + 1) as LoggedError }
      : {}),
  };
}
