import type { ToolFieldType } from "#contract/actions/tool-settings.ts";

export const FIELD_TYPES: Record<ToolFieldType, string> = {
  text: "Текст",
  number: "Число",
  phone: "Телефон",
  email: "Почта",
  date: "Дата",
  time: "Время",
  choice: "Выбор из списка",
};
