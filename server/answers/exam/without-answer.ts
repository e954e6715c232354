import type { ErrorCode } from "#contract/error-codes.ts";
import { Problem } from "#server/platform/errors.ts";

const NO_ANSWER: ReadonlySet<ErrorCode> = new Set(["model_empty", "model_refused", "model_malformed", "empty_reply"]);

/** Whether the failure is of one answer, not of the connection: the model has said nothing that could be used. */
export const isWithoutAnswer = (error: unknown): boolean => error instanceof Problem && NO_ANSWER.has(error.code);

/** Whether the model or its provider has refused this message for what it says; asking again gives the same. */
export const isMessageRefused = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "model_refused";
