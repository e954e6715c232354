import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

/** Structured log on stderr; whatever could be a credential is masked wherever it stands. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          "req.headers.authorization",
          "req.headers.cookie",
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
