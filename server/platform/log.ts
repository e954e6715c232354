import { type DestinationStream, type Logger, pino } from "pino";
import { withoutSecrets } from "#server/platform/secrets/secret-patterns.ts";

export type Log = Logger;

/** Creates the structured log on stderr. Values that could be credentials are masked, and people's texts are removed from errors. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutValues },
      // All lines are masked, because a provider's message may quote the called URL with its password.
      hooks: { streamWrite: withoutSecrets },
      redact: {
        paths: [
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
  /** Stack frames without the message. */
  stack?: string;
  cause?: LoggedError;
}

/** Maximum depth of followed causes, so that a cycle ends. */
const DEEPEST_CAUSE = 6;

/**
 * Prepares an error for the log. A failed query's message lists its parameters and PostgreSQL's `detail` quotes the row, with messages,
 * addresses and token hashes. The statement, the code and the stack suffice to find a bug.
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
