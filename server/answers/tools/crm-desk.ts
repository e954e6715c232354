/**
 * What a tool does in the organisation's CRM. The CRM is of a later wing, which hands its desk in when the server starts
 * (server/inbox/crm/crm-desk.ts).
 */
import type { Database, Tenant } from "#server/platform/db/database.ts";

export interface CrmDeal {
  number: string;
  title: string;
  stage: string;
  amount: string;
  contact: { name: string; phones: string[]; email: string };
}

/** `message`: a Russian sentence for the owner. */
export class CrmDeskTrouble extends Error {
  override name = "CrmDeskTrouble";
  /** Whether a note may have been written all the same. */
  readonly unknown: boolean;

  constructor(message: string, unknown: boolean, options?: { cause: unknown }) {
    super(message, options);
    this.unknown = unknown;
  }
}

export interface CrmDesk {
  /** Finds a deal by its number, or the latest of a phone. @returns null: there is none. @throws CrmDeskTrouble */
  readDeal(
    tenant: Tenant,
    twinId: string,
    by: { deal?: string; phone?: string },
    signal: AbortSignal,
  ): Promise<CrmDeal | null>;
  /** Writes a note into the deal of the act's conversation. @throws CrmDeskTrouble */
  addNote(tenant: Tenant, actId: string, text: string, signal: AbortSignal): Promise<void>;
}

const desks = new WeakMap<Database, CrmDesk>();

export const openCrmDeskFor = (db: Database, desk: CrmDesk): void => void desks.set(db, desk);
export const crmDeskOf = (db: Database): CrmDesk | undefined => desks.get(db);
