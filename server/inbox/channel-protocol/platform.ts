/** Describes a platform to the rest of the server before an account is opened. Each platform's folder exports one for registry.ts. */
import type * as z from "zod/mini";
import type { Integration, IntegrationInput, NewCredentials } from "#contract/integrations/integrations.ts";
import type { Proxied } from "#server/platform/network/proxied.ts";
import type { Channel } from "./channel.ts";

/** An existing integration; `accountId` comes from `verify` or from the sign-in. */
export interface Connected {
  id: string;
  accountId: string | null;
}

/** A server of the platform, to which the connection check connects. */
export interface CheckedServer {
  host: string;
  port: number;
  /** Whether TLS begins with the first byte (no STARTTLS). */
  tls: boolean;
  /** Root certificates (PEM) that are trusted besides the usual ones. */
  roots?: readonly string[];
  /** Whether an installation setting names the address; then it may be in a private network. */
  ours: boolean;
}

export function serverOf(address: string): CheckedServer {
  const { protocol, hostname, port } = new URL(address);
  const tls = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (tls ? 443 : 80)), tls, ours: true };
}

export interface Platform<Credentials, Addresses = object> {
  /** Schema of the credentials that `integrations.credentials` stores encrypted with the platform's id. */
  readonly credentials: z.ZodMiniType<Credentials>;
  /** Converts the fields of the form at /add-integration to credentials; absent: the form does not connect this platform. */
  readonly credentialsOf?: (input: NewCredentials) => Credentials;
  /** The error for an owner whose new key belongs to another account than the connected one: «Это другой бот». */
  readonly otherAccount?: string;
  /**
   * Opens the account; null while it is not signed in.
   * @param addresses the platform's addresses, read from config.ts
   * @param integration null while the credentials are only being checked
   * @param proxy the only way to connect when set (proxied.ts gives it to a client); null: direct
   */
  readonly open: (
    credentials: Credentials,
    addresses: Addresses,
    integration: Connected | null,
    proxy: Proxied | null,
  ) => Channel | null;
  /**
   * Servers that «Проверить соединение» reaches before it asks the platform; absent: nothing leaves this machine. @throws ChannelTrouble
   */
  readonly servers?: (credentials: Credentials, addresses: Addresses) => CheckedServer[] | Promise<CheckedServer[]>;
  /** Checks whether the platform responds at all, for accounts that `open` cannot open yet. @throws ChannelTrouble */
  readonly probe?: (credentials: Credentials, addresses: Addresses, proxy: Proxied | null) => Promise<void>;
  /** A sentence for the owner when `open` returns null; absent if it never does. */
  readonly notOpened?: string;
  /** What the owner must enter in the platform's own settings before it delivers to us; absent: nothing. */
  readonly ownerEnters?: "address" | "address and token";
  /** The receiving process fetches set-aside events again. Absent: they are parsed again from the stored copy. */
  readonly fetchesAgain?: boolean;
  /** The account's name is a phone number, of which colleagues see only the first and last digits. */
  readonly accountIsNumber?: boolean;
  /**
   * Milliseconds during which the platform recognises a repeated send by its key and delivers it once. An interrupted send is repeated
   * within this time; if absent, its delivery is reported as unknown.
   */
  readonly knowsRepeatsMs?: number;
  /** Contacts write and read through our own API, so nothing is received from outside. */
  readonly writtenHere?: boolean;
  /** This product invents the contacts' names, so replies do not use them. */
  readonly contactsAreNameless?: boolean;
  /** Reads the non-secret settings of an integration; absent: there are none. */
  readonly openSettings?: (settings: IntegrationInput["settings"]) => Integration["settings"];
  /** Releases what this process holds for an integration that is being deleted. Never throws. */
  readonly letGo?: (integrationId: string) => Promise<void>;
}
