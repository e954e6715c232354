/** Defines the interface between CRMs and the rest of the server. A system speaks one CRM's protocol and stores nothing. */
import * as z from "zod/mini";
import type { CrmSystem } from "#contract/integrations/crm.ts";
import type { CrmDeal } from "#server/answers/tools/crm-desk.ts";

/** The OAuth application under which the CRM knows this installation. */
export const CrmApp = z.object({ clientId: z.string(), clientSecret: z.string() });
export type CrmApp = z.infer<typeof CrmApp>;

/** Stored encrypted in `crm_connections.tokens`. */
export const CrmTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: z.number(),
  app: CrmApp,
});
export type CrmTokens = z.infer<typeof CrmTokens>;

/** The data for the contact and the deal of one conversation. */
export interface CrmCard {
  /** Our id of the conversation in the CRM, by which the card is found again. */
  key: string;
  name: string;
  phone: string | null;
  email: string | null;
  /** The platform's name: «Telegram». */
  from: string;
}

export interface CrmIds {
  contactId: string | null;
  dealId: string | null;
}

export interface CrmSession {
  /** Finds the existing parts of the card: a call whose response was lost may have created them. @throws CrmTrouble */
  find(card: CrmCard): Promise<CrmIds>;
  /** Creates what `found` lacks. @throws CrmTrouble */
  make(card: CrmCard, found: CrmIds): Promise<{ contactId: string; dealId: string }>;
  /** Returns whether a note of the deal contains this text. @throws CrmTrouble */
  hasNote(dealId: string, part: string): Promise<boolean>;
  /** Finds a deal by its number, or the latest of a phone. @returns null: there is none. @throws CrmTrouble */
  deal(by: { deal?: string; phone?: string }): Promise<CrmDeal | null>;
  /** @throws CrmTrouble */
  addNote(dealId: string, text: string): Promise<void>;
}

export interface CrmProtocol {
  readonly system: CrmSystem;
  signInUrl(host: string, app: CrmApp, state: string, redirectUrl: string): string;
  /** @throws CrmTrouble */
  exchange(host: string, app: CrmApp, code: string, redirectUrl: string): Promise<CrmTokens>;
  /** Returns new tokens for a refresh token, which is valid once. @throws CrmTrouble */
  refresh(host: string, tokens: CrmTokens, redirectUrl: string): Promise<CrmTokens>;
  open(host: string, accessToken: string, ending?: AbortSignal): CrmSession;
}

/** `message` is a Russian sentence for the organisation's administrator and contains no text of the CRM. */
export class CrmTrouble extends Error {
  /** auth: the CRM refuses the access; refused: it refuses this card; away: temporary. */
  readonly kind: "auth" | "refused" | "away";

  constructor(kind: CrmTrouble["kind"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
