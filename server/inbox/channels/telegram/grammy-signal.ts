import type { Api } from "grammy";

/** grammY's types name the signal of an old polyfill, but it accepts the platform's own. */
export type GrammySignal = NonNullable<Parameters<Api["getMe"]>[0]>;
export const grammySignal = (signal: AbortSignal) => signal as unknown as GrammySignal;
