import type { ReactNode } from "react";
import type { ToolFormState } from "./form-parts.tsx";
import type { ToolKind, ToolValues } from "./form-values.ts";
import { HttpRequest } from "./http-request.tsx";
import { McpSource } from "./mcp-source.tsx";
import { TableSource } from "./table-source.tsx";
import type { SampleField } from "./trial.tsx";

/** What the form of a tool is for one kind; the rest of it is the same for all. */
interface FormKind {
  title: string;
  /** The first group: where the answer comes from. */
  source: {
    title: string;
    description: string;
    fields: (place: { form: ToolFormState; twinId: string }) => ReactNode;
  };
  /** Whether everything else can be chosen already. */
  isReady: (values: ToolValues) => boolean;
  /** What a call needs. */
  fieldsOf: (values: ToolValues) => SampleField[];
  /** Columns that are chosen from; null: places of an answer, so that the trial stands right behind the source. */
  columnsOf: ((values: ToolValues) => readonly string[]) | null;
}

const fieldsIn = ({ fields }: ToolValues): SampleField[] =>
  fields.map(({ name, label, required }) => ({ name, label: label || name, required }));

export const formKinds: Record<ToolKind, FormKind> = {
  table: {
    title: "Таблица",
    source: {
      title: "Таблица",
      description: "Двойник находит в ней одну строку и сообщает из неё только то, что вы выберете",
      fields: (place) => <TableSource {...place} />,
    },
    isReady: ({ table }) => table !== null,
    fieldsOf: ({ keyColumn }) => [{ name: "key", label: keyColumn || "Номер", placeholder: "1042", required: true }],
    columnsOf: ({ table }) => table?.columns ?? [],
  },
  http: {
    title: "Запрос к вашей системе",
    source: {
      title: "Запрос",
      description: "Что и куда уходит, когда об этом спрашивают",
      fields: ({ form }) => <HttpRequest form={form} />,
    },
    isReady: () => true,
    fieldsOf: fieldsIn,
    columnsOf: null,
  },
  mcp: {
    title: "Сервер MCP",
    source: {
      title: "Сервер MCP",
      description:
        "Двойник умеет только то, что вы здесь выберете. Описания сервера модель не читает, она читает ваши слова",
      fields: (place) => <McpSource {...place} />,
    },
    isReady: ({ actionName }) => actionName !== "",
    fieldsOf: fieldsIn,
    columnsOf: null,
  },
};
