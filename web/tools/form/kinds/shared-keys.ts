import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { inputOfTool } from "../form-values.ts";

const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? "";

/**
 * Other tools of the same host that lack a key which was entered here, each as it is saved with that key. So the key of a description is
 * entered once.
 * @param own id of the tool in which it was entered; undefined: a new one
 */
export function toolsLackingKeys(
  { settings: entered }: ToolInput,
  own: string | undefined,
  tools: readonly Tool[],
): { id: string; host: string; tool: ToolInput }[] {
  if (entered.kind !== "http") return [];
  const host = hostOf(entered.url);
  const keys = new Map(entered.headers.map(({ name, value = "" }) => [name.toLowerCase(), value]));
  return tools.flatMap((tool) => {
    const input = inputOfTool(tool);
    const { settings } = input;
    if (tool.id === own || settings.kind !== "http" || hostOf(settings.url) !== host) return [];
    const headers = settings.headers.map((header) => {
      const value = header.missing ? (keys.get(header.name.toLowerCase()) ?? "") : "";
      return value === "" ? header : { name: header.name, value };
    });
    const gains = headers.some((header, at) => header !== settings.headers[at]);
    return gains ? [{ id: tool.id, host, tool: { ...input, settings: { ...settings, headers } } }] : [];
  });
}
