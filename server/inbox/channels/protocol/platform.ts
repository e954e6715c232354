/** What the rest of the server knows about a platform before an account is opened; each platform's folder exports one for registry.ts. */
import type * as z from "zod/mini";
import type { Integration, IntegrationInput, NewCredentials } from "#contract/integrations/integrations.ts";
import type { Proxied } from "#server/platform/network/proxy/proxied.ts";
import type { Channel } from "./channel.ts";

/** An integration that is there; `accountId` is what `verify` gave, or who has signed in. */
export interface Connected {
  id: string;
  accountId: string | null;
}

/** A server that the platform is reached at. */
export interface CheckedServer {
  host: string;
  port: number;
  /** Whether TLS begins with the first byte. */
  tls: boolean;
  /** Root certificates (PEM) that are trusted there beside the usual ones. */
  roots?: readonly string[];
  /** Its address is a setting of the installation, so that it may be in a private network. */
  ours: boolean;
}

/** The server of an address in the settings. */
export function serverOf(address: string): CheckedServer {
  const { protocol, hostname, port } = new URL(address);
  const tls = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (tls ? 443 : 80)), tls, ours: true };
}

export interface Platform<Credentials, Addresses = object> {
  /** What is stored sealed in `integrations.credentials`, with the platform's id. */
  readonly credentials: z.ZodMiniType<Credentials>;
  /** The fields of the form at /add-integration as credentials; absent: the platform is not connected there. */
  readonly credentialsOf?: (input: NewCredentials) => Credentials;
  /** The sentence shown to an owner whose new key belongs to another account than the connected one: «Это другой бот». */
  readonly otherAccount?: string;
  /**
   * null: the account is not signed in yet.
   * @param addresses where its servers are; the settings that a platform names here are read from config.ts
   * @param integration null while the credentials are only being checked
   * @param proxy through which alone it connects; null: there is none. proxied.ts says how a client is given it
   */
  readonly open: (
    credentials: Credentials,
    addresses: Addresses,
    integration: Connected | null,
    proxy: Proxied | null,
  ) => Channel | null;
  /** What «Проверить соединение» goes to before it asks the platform; absent: nothing leaves this machine. @throws ChannelTrouble */
  readonly servers?: (credentials: Credentials, addresses: Addresses) => CheckedServer[] | Promise<CheckedServer[]>;
  /** Asks the platform whether it answers at all, where `open` gives null. @throws ChannelTrouble */
  readonly probe?: (credentials: Credentials, addresses: Addresses, proxy: Proxied | null) => Promise<void>;
  /** A sentence for the owner where `open` gives null; absent: it never does. */
  readonly notOpened?: string;
  /** What the owner enters at the platform himself, so that it delivers to us; absent: nothing. */
  readonly ownerEnters?: "address" | "address and token";
  /** Set-aside events are fetched again by the process that receives; absent: they are read again from the stored copy. */
  readonly fetchesAgain?: boolean;
  /** The account is named by a telephone number, of which colleagues see the ends. */
  readonly accountIsNumber?: boolean;
  /**
   * Milliseconds for which the platform knows a send with the same key again and delivers it once: a send that a process left unfinished is
   * repeated within this time. Absent: its delivery is reported as unknown.
   */
  readonly knowsRepeatsMs?: number;
  /** Contacts write and read by calls of ours: nothing is received from elsewhere. */
  readonly writtenHere?: boolean;
  /** Contacts bear names that we have made up, so a reply does not use them. */
  readonly contactsAreNameless?: boolean;
  /** The settings of an integration that are not secret; absent: none. */
  readonly openSettings?: (settings: IntegrationInput["settings"]) => Integration["settings"];
  /** Ends what this process still holds of the integration, because it is being deleted. Never throws. */
  readonly letGo?: (integrationId: string) => Promise<void>;
}
