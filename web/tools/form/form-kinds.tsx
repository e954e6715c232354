import type { ReactNode } from "react";
import { DEAL_SOURCES } from "#contract/actions/crm-settings.ts";
import type { SampleField } from "./answer/sample-field.tsx";
import type { ToolFormState } from "./form-parts.tsx";
import { fieldOf, type ToolKind, type ToolValues } from "./form-values.ts";
import { CalendarSource } from "./kinds/calendar-source.tsx";
import { CrmSource } from "./kinds/crm-source.tsx";
import { HttpRequest } from "./kinds/http-request.tsx";
import { QuestionSource } from "./kinds/question-source.tsx";
import { McpSource } from "./mcp-source.tsx";
import { TableSource } from "./table-source.tsx";

interface SourcePlace {
  form: ToolFormState;
  twinId: string;
  /** Id of the connection whose actions are listed, though a draft may have one already; null: none is. */
  listed: string | null;
  /** @param isDraft whether the draft's action is kept; otherwise another one is chosen */
  onListed: (isDraft: boolean) => void;
}

/** What the form of a tool is for one kind; the rest of it is the same for all. */
interface FormKind {
  title: string;
  /** The first group: where the answer comes from. */
  source: {
    title: string;
    description: string;
    fields: (place: SourcePlace) => ReactNode;
  };
  /** Whether everything else can be chosen already. */
  isReady: (values: ToolValues) => boolean;
  /** What a call needs. */
  fieldsOf: (values: ToolValues) => SampleField[];
  /** Columns that are chosen from; null: places of an answer, so that the trial stands right behind the source. */
  columnsOf: ((values: ToolValues) => readonly string[]) | null;
  /** What people call the columns; absent: they are named by the owner himself. */
  columnNames?: Readonly<Record<string, string>>;
}

const fieldsIn = ({ fields }: ToolValues): SampleField[] =>
  fields.map((field) => {
    const { name, label, type, required, choices } = fieldOf(field);
    return { name, label: label || name, type, required, choices };
  });

export const formKinds: Record<ToolKind, FormKind> = {
  table: {
    title: "Таблица",
    source: {
      title: "Таблица",
      description: "Двойник находит в ней одну строку и сообщает из неё только то, что вы выберете",
      fields: ({ form, twinId }) => <TableSource form={form} twinId={twinId} />,
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
  question: {
    title: "Вопрос к вам",
    source: {
      title: "Вопрос",
      description: "Двойник спрашивает вас, а не систему, и передаёт собеседнику ваш ответ",
      fields: ({ form }) => <QuestionSource form={form} />,
    },
    isReady: () => true,
    fieldsOf: fieldsIn,
    columnsOf: () => [],
  },
  crm: {
    title: "Сделка в CRM",
    source: {
      title: "CRM",
      description: "Что двойник смотрит в вашей CRM или оставляет в ней",
      fields: ({ form, twinId }) => <CrmSource form={form} twinId={twinId} />,
    },
    isReady: () => true,
    fieldsOf: ({ crm: { does, key } }) => [
      does === "note"
        ? { name: "text", label: "Что передать", required: true }
        : key === "deal"
          ? { name: "deal", label: "Номер сделки", placeholder: "1042", required: true }
          : { name: "phone", label: "Телефон", type: "phone", required: true },
    ],
    columnsOf: () => DEAL_SOURCES,
    columnNames: { phone: "Телефон", email: "Почта", name: "Имя", deal: "Номер сделки" },
  },
  calendar: {
    title: "Календарь",
    source: {
      title: "Календарь",
      description: "Где смотреть и когда вы принимаете. События календаря никто не увидит, только свободное время",
      fields: ({ form, twinId }) => <CalendarSource form={form} twinId={twinId} />,
    },
    isReady: ({ calendar }) => calendar.calendarUrl !== "",
    fieldsOf: ({ calendar: { does } }) => [
      { name: "date", label: "День", type: "date", required: does === "book" },
      ...(does === "book"
        ? [
            { name: "time", label: "Время", type: "time" as const, required: true },
            { name: "name", label: "Имя" },
            { name: "wish", label: "Что нужно" },
          ]
        : []),
    ],
    columnsOf: () => [],
  },
};
