/** What every kind of tool answers of itself; no other code asks which kind a tool is (`kind-of.ts` has them all). */
import type { SettingsInput, ShownSettings, ToolField, ToolTable } from "#contract/actions/tool-settings.ts";
import type { ToolTrial } from "#contract/actions/tools.ts";
import type { Database, Tenant, Tx } from "#server/platform/db/database.ts";
import type {
  ActArgument,
  SettingsOfKind,
  StoredSettings,
  ToolKindName,
  ToolRow,
} from "#server/platform/db/schema/tools.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import type { Result } from "./json-result.ts";
import type { ReadSource } from "./proof.ts";

export interface CallDeps {
  db: Database;
  vault: Vault;
  config: { loopbackAddresses: boolean };
}

export interface CallOrder {
  /** Without proofs, which are compared here and leave with nobody. */
  values: readonly ActArgument[];
  /** The act's id; null for a trial of a read. */
  idempotencyKey: string | null;
  signal: AbortSignal;
}

/**
 * absent: there is no such row. failed: it was surely not done. unknown: it may have been done. `status` and `answer`: of the system, for a
 * trial.
 */
export type CallOutcomeOf =
  | { kind: "done"; result: Result; read: ReadSource; status: number | null; answer: string }
  | { kind: "absent"; status: number | null; answer: string }
  | { kind: "failed" | "unknown"; reason: string; status: number | null; answer: string };

/** A tool's place before its row is stored; `id` null: it will not be. */
export interface ToolPlace {
  id: string | null;
  twinId: string;
}

/** What is stored of a tool that is being changed. */
export interface StoredTool {
  settings: StoredSettings;
  /** Opens the values that are sealed beside the row. */
  open: () => Record<string, string>;
}

/** What is stored beside a tool, where it has it. */
export interface BesideTool {
  /** As `shownProxy`. */
  proxy: string | null;
  table: ToolTable | null;
  connection: { title: string; failure: string | null } | null;
}

export type InputOf<Kind extends ToolKindName> = Extract<SettingsInput, { kind: Kind }>;

export interface ToolKind<Kind extends ToolKindName> {
  /** What a call needs, without proofs. */
  fieldsOf(settings: SettingsOfKind[Kind]): ToolField[];
  /** «POST api.example.ru/bookings»; null where nothing leaves this server. */
  targetOf(settings: SettingsOfKind[Kind]): string | null;
  /** Refuses what no database is needed for. @throws Problem 400 */
  requireSound(config: CallDeps["config"], input: InputOf<Kind>): void;
  /** What is stored of the input. @throws Problem 404, 400 where what it names is not the twin's */
  store(tx: Tx, place: ToolPlace, input: InputOf<Kind>): Promise<SettingsOfKind[Kind]>;
  /** Values that are sealed beside the row, by name. @param before null: a new tool. @throws Problem 400 where one is missing */
  secretsOf(input: InputOf<Kind>, before: StoredTool | null): Record<string, string>;
  /** Gives what belongs to the stored tool to it. @param settings null: it has become another kind */
  bind(tx: Tx, place: { id: string; twinId: string }, settings: SettingsOfKind[Kind] | null): Promise<void>;
  /** What the owner is shown. */
  show(settings: SettingsOfKind[Kind], beside: BesideTool): ShownSettings;
  /** What would be sent, without secrets; null where nothing leaves this server, or where the values fit into no request. */
  preview(settings: SettingsOfKind[Kind], values: readonly ActArgument[]): ToolTrial["request"];
  /** What its owner is asked, who answers himself; absent: a system is called. */
  asksOwner?(settings: SettingsOfKind[Kind], values: readonly ActArgument[]): string;
  /** Asks the owner's system; stores and decides nothing. */
  call(
    deps: CallDeps,
    tenant: Tenant,
    tool: ToolRow & { settings: SettingsOfKind[Kind] },
    order: CallOrder,
  ): Promise<CallOutcomeOf>;
  /** The connection through which it is called; null: there is none. */
  connectionOf(settings: SettingsOfKind[Kind]): string | null;
}
