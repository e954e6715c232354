import { type DestinationStream, type Logger, pino } from "pino";
import { withoutSecrets } from "./secret-forms.ts";

export type Log = Logger;

/** Structured log on stderr; whatever could be a credential is masked wherever it stands, and errors lose what people wrote. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutValues },
      // Whatever is said: a provider's sentence may quote the address that it was called by, password and all.
      hooks: { streamWrite: withoutSecrets },
      redact: {
        paths: [
          // Fastify's plugins log the headers that they are given, at level trace.
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
  /** Frames alone. */
  stack?: string;
  cause?: LoggedError;
}

/** Causes of causes; a ring of them ends. */
const DEEPEST_CAUSE = 6;

/**
 * An error for the log. A failed query's message lists its parameters and PostgreSQL's `detail` the row: messages, addresses
 * and hashes of tokens. The statement, the code and the places in our program are enough to find a fault.
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
