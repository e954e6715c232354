/** What the rest of the server knows of a platform before anybody's account is opened; each platform's folder gives one to registry.ts. */
import type * as z from "zod/mini";
import type { Integration, IntegrationInput, NewCredentials } from "#contract/integrations/integrations.ts";
import type { Channel } from "./channel.ts";

/** An integration that is there; `accountId` is what `verify` gave, or who has signed in. */
export interface Connected {
  id: string;
  accountId: string | null;
}

export interface Platform<Credentials, Addresses = object> {
  /** What is stored sealed in `integrations.credentials`, with the platform's id. */
  readonly credentials: z.ZodMiniType<Credentials>;
  /** The fields of the form at /add-integration as credentials; absent: the platform is not connected there. */
  readonly credentialsOf?: (input: NewCredentials) => Credentials;
  /** How an owner is told that a key belongs to another account than the connected one: «Это другой бот». */
  readonly otherAccount?: string;
  /**
   * null: nobody has signed in to the account yet.
   * @param addresses where its servers are; the settings that a platform names here are read from config.ts
   * @param integration null while the credentials are only being checked
   */
  readonly open: (credentials: Credentials, addresses: Addresses, integration: Connected | null) => Channel | null;
  /** A sentence for the owner where `open` gives null; absent: it never does. */
  readonly notOpened?: string;
  /** What the owner enters at the platform himself, so that it delivers to us; absent: nothing. */
  readonly ownerEnters?: "address" | "address and token";
  /** Events that were set aside are fetched again by whoever receives; absent: they are read again from what was kept. */
  readonly fetchesAgain?: boolean;
  /** The account is named by a telephone number, of which colleagues see the ends. */
  readonly accountIsNumber?: boolean;
  /**
   * Milliseconds for which the platform knows a send with the same key again and delivers it once: a send that a process left unfinished
   * is repeated within this time. Absent: it is told as unknown.
   */
  readonly knowsRepeatsMs?: number;
  /** Contacts bear names that we have made up, so a reply does not use them. */
  readonly contactsAreNameless?: boolean;
  /** The settings of an integration that are not secret; absent: none. */
  readonly openSettings?: (settings: IntegrationInput["settings"]) => Integration["settings"];
  /** Ends what this process still holds of the integration, because it is being deleted. Never throws. */
  readonly letGo?: (integrationId: string) => Promise<void>;
}
