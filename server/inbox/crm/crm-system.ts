/** What each CRM looks like to the rest of the server. A system speaks one CRM's protocol and stores nothing itself. */
import * as z from "zod/mini";
import type { CrmSystem } from "#contract/integrations/crm.ts";

/** An application that the CRM knows us as. */
export const CrmApp = z.object({ clientId: z.string(), clientSecret: z.string() });
export type CrmApp = z.infer<typeof CrmApp>;

/** Stored sealed in `crm_connections.tokens`. */
export const CrmTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access ends, milliseconds since 1970. */
  expiresAt: z.number(),
  app: CrmApp,
});
export type CrmTokens = z.infer<typeof CrmTokens>;

/** What is made of one conversation. */
export interface CrmCard {
  /** Our name of the conversation there, by which the card is found again. */
  key: string;
  name: string;
  phone: string | null;
  email: string | null;
  /** «Telegram» */
  from: string;
}

export interface CrmIds {
  contactId: string | null;
  dealId: string | null;
}

export interface CrmSession {
  /** What of the card is there already: a call whose answer was lost may have made it. @throws CrmTrouble */
  find(card: CrmCard): Promise<CrmIds>;
  /** Makes what `found` lacks. @throws CrmTrouble */
  make(card: CrmCard, found: CrmIds): Promise<{ contactId: string; dealId: string }>;
  /** Whether a note beside the deal holds this text. @throws CrmTrouble */
  hasNote(dealId: string, part: string): Promise<boolean>;
  /** @throws CrmTrouble */
  addNote(dealId: string, text: string): Promise<void>;
}

export interface CrmProtocol {
  readonly system: CrmSystem;
  /** Where the administrator signs in. */
  signInUrl(host: string, app: CrmApp, state: string, redirectUrl: string): string;
  /** @throws CrmTrouble */
  exchange(host: string, app: CrmApp, code: string, redirectUrl: string): Promise<CrmTokens>;
  /** A new pair for a refresh token, which is valid once. @throws CrmTrouble */
  refresh(host: string, tokens: CrmTokens, redirectUrl: string): Promise<CrmTokens>;
  open(host: string, accessToken: string, ending?: AbortSignal): CrmSession;
}

/** `message` is the Russian sentence for the organisation's administrator and contains no word of the CRM's. */
export class CrmTrouble extends Error {
  /** auth: the access is refused; refused: this card is; away: temporary. */
  readonly kind: "auth" | "refused" | "away";

  constructor(kind: CrmTrouble["kind"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
