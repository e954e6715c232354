/** «Проверить соединение»: how far one gets on the way to a platform. */
import * as z from "zod/mini";

/** One part of the way to a platform, in their order. */
export const CheckHop = z.enum(["name", "tcp", "proxy", "tls", "platform"]);
export type CheckHop = z.infer<typeof CheckHop>;

export const CheckStep = z.object({
  hop: CheckHop,
  /** skipped: what stands before it has failed. */
  state: z.enum(["ok", "failed", "skipped"]),
  /** What was made or has failed, in Russian, without a full stop. */
  text: z.string(),
  /** What to do about it, in Russian; null where nothing has failed. */
  advice: z.nullable(z.string()),
  /** null: it was skipped. */
  milliseconds: z.nullable(z.number()),
});
export type CheckStep = z.infer<typeof CheckStep>;

export const IntegrationCheck = z.object({
  ok: z.boolean(),
  /** The account's name on the platform, if the platform answered. */
  account: z.nullable(z.string()),
  /** A Russian sentence. */
  message: z.string(),
  /** The way hop by hop; empty where another process holds the connection. */
  steps: z.array(CheckStep),
});
export type IntegrationCheck = z.infer<typeof IntegrationCheck>;
