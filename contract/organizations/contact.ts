import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const ContactInput = z.object({
  name: z.string("Укажите имя").check(z.trim(), z.minLength(1, "Укажите имя"), z.maxLength(200, "Слишком длинное имя")),
  email: z
    .string("Введите email")
    .check(
      z.trim(),
      z.minLength(1, { error: "Введите email", abort: true }),
      z.maxLength(254, "Слишком длинный email"),
      z.email("Введите корректный email"),
    ),
  message: z
    .string("Расскажите о задаче")
    .check(
      z.trim(),
      z.minLength(10, "Расскажите о задаче: минимум 10 символов"),
      z.maxLength(4000, "Слишком длинное сообщение: максимум 4000 символов"),
    ),
});
export type ContactInput = z.infer<typeof ContactInput>;

export const contactApi = {
  send: endpoint("POST /api/contact", {
    access: "public",
    refreshes: "nothing",
    summary: "Письмо посетителя администратору платформы",
    input: ContactInput,
    output: z.object({
      success: z.literal(true),
      /** `log` means that no mail server is configured, so that the email is only in the server's log. */
      letter: z.enum(["mail", "log"]),
    }),
  }),
};
