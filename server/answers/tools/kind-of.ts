/** All kinds of tools. */
import type { SettingsInput } from "#contract/actions/tool-settings.ts";
import type { StoredSettings, ToolKindName, ToolRow } from "#server/platform/db/schema/tools.ts";
import { calendarKind } from "./kinds/calendar.ts";
import { crmKind } from "./kinds/crm.ts";
import { httpKind } from "./kinds/http.ts";
import { mcpKind } from "./kinds/mcp.ts";
import { questionKind } from "./kinds/question.ts";
import { tableKind } from "./kinds/table.ts";
import { type CallField, proofFieldsOf } from "./tool.ts";
import type { ToolKind } from "./tool-kind.ts";

const KINDS: { [Kind in ToolKindName]: ToolKind<Kind> } = {
  http: httpKind,
  table: tableKind,
  mcp: mcpKind,
  calendar: calendarKind,
  crm: crmKind,
  question: questionKind,
};

/** The functions of the kind that the settings name; they take settings of that kind only. */
export const kindOf = ({ kind }: StoredSettings | SettingsInput): ToolKind<ToolKindName> =>
  KINDS[kind] as unknown as ToolKind<ToolKindName>;

/** The tool's own fields, without proofs. */
export const fieldsOf = ({ settings }: Pick<ToolRow, "settings">): CallField[] => kindOf(settings).fieldsOf(settings);

export const allFieldsOf = (tool: Pick<ToolRow, "settings" | "proof">): CallField[] => [
  ...fieldsOf(tool),
  ...proofFieldsOf(tool),
];

/** «POST api.example.ru/bookings»; null for a table. */
export const targetOf = ({ settings }: Pick<ToolRow, "settings">): string | null => kindOf(settings).targetOf(settings);
