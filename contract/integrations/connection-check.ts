/** Connection check («Проверить соединение»), which reports each hop on the way to a platform. */
import * as z from "zod/mini";

/** Hops on the way to a platform, in order. */
export const CheckHop = z.enum(["name", "tcp", "proxy", "tls", "platform"]);
export type CheckHop = z.infer<typeof CheckHop>;

export const CheckStep = z.object({
  hop: CheckHop,
  /** `skipped` means that an earlier hop failed. */
  state: z.enum(["ok", "failed", "skipped"]),
  /** What succeeded or failed, in Russian, without a full stop. */
  text: z.string(),
  /** What the user can do about a failed hop, in Russian; null when nothing has failed. */
  advice: z.nullable(z.string()),
  /** null for a skipped hop. */
  milliseconds: z.nullable(z.number()),
});
export type CheckStep = z.infer<typeof CheckStep>;

export const IntegrationCheck = z.object({
  ok: z.boolean(),
  /** The account's name on the platform, if the platform answered. */
  account: z.nullable(z.string()),
  message: z.string(),
  /** Results hop by hop; empty when another process of the server holds the connection. */
  steps: z.array(CheckStep),
});
export type IntegrationCheck = z.infer<typeof IntegrationCheck>;
