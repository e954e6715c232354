/** Calendars over CalDAV that a twin's tools read and book (docs/decisions/049-calendar-crm-and-questions.md). */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ToolConnection } from "./tool-connections.ts";
import { ProxyInput } from "./tool-settings.ts";

const twinId = z.uuid("Выберите цифрового двойника");

export const NewCalendarAccount = z.object({
  twinId,
  url: z
    .string("Введите адрес")
    .check(z.trim(), z.minLength(1, "Введите адрес"), z.maxLength(500, "Слишком длинный адрес")),
  login: z
    .string("Введите логин")
    .check(
      z.trim(),
      z.minLength(1, "Введите логин"),
      z.maxLength(200, "Слишком длинный логин"),
      z.regex(/^[^:\p{Cc}]*$/u, "В логине не может быть двоеточия"),
    ),
  /** Written and never read. */
  password: z
    .string("Введите пароль приложения")
    .check(z.minLength(1, "Введите пароль приложения"), z.maxLength(500, "Слишком длинный пароль")),
  proxy: ProxyInput,
});
export type NewCalendarAccount = z.infer<typeof NewCalendarAccount>;

export const calendarsApi = {
  open: endpoint("POST /api/tool-connections/calendars", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Подключить календарь по CalDAV: проверить логин и пароль приложения и прочитать список календарей",
    input: NewCalendarAccount,
    output: ToolConnection,
    status: 201,
  }),
};
