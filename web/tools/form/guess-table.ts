import type { ToolTable } from "#contract/actions/tool-settings.ts";
import type { ToolValues } from "./form-values.ts";

const KEY = /номер|заказ|артикул|код|^№|^id$|number|order/i;
const REPORTED = /статус|состояни|дата|срок|доставк|остат|налич|цена|status|state|date|stock|price/i;
const PHONE = /телефон|phone|моб/i;

/**
 * Proposes which columns of a new table are its key, what is reported, and what proves that a row is the asker's. A column of phones is never
 * reported by a guess. What was chosen before and is still there stays.
 */
export function guessTable(
  { columns }: Pick<ToolTable, "columns">,
  before: Pick<ToolValues, "keyColumn" | "columns" | "channelPhone" | "asked">,
): Pick<ToolValues, "keyColumn" | "columns" | "channelPhone" | "asked"> {
  const has = (column: string) => columns.includes(column);
  const phone = columns.find((column) => PHONE.test(column));
  const keyColumn = has(before.keyColumn)
    ? before.keyColumn
    : (columns.find((column) => KEY.test(column) && !PHONE.test(column)) ?? "");
  const reported = before.columns.filter(has);
  const kept = before.asked.filter(({ source }) => has(source));
  const guessed =
    phone === undefined ? [] : [{ label: "Последние 4 цифры телефона", source: phone, compare: "last4" as const }];
  return {
    keyColumn,
    columns:
      reported.length > 0
        ? reported
        : columns.filter((one) => one !== keyColumn && REPORTED.test(one) && !PHONE.test(one)),
    channelPhone: has(before.channelPhone) ? before.channelPhone : (phone ?? ""),
    asked: kept.length > 0 ? kept : guessed,
  };
}
