import * as z from "zod/mini";
import type { Platform } from "#server/inbox/channel-protocol/platform.ts";
import { webChat } from "./web-chat.ts";

/** The chat on the owner's site belongs to this product and needs no credentials. */
const credentials = z.object({ platform: z.literal("web") });

export const web: Platform<z.infer<typeof credentials>> = {
  credentials,
  open: () => webChat,
  writtenHere: true,
  // Nothing leaves the server: a send that a kill or a full disk has interrupted is done again, however late.
  knowsRepeatsMs: 30 * 24 * 3600_000,
  contactsAreNameless: true,
};
