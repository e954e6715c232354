import { Variable } from "./variable.tsx";

/** Explains to the operator that emails cannot be sent, on every screen where this matters. */
export function LettersAdvice() {
  return (
    <>
      Укажите почтовый сервер в&nbsp;настройке <Variable>SMTP_URL</Variable> и&nbsp;перезапустите. Пока ссылки
      из&nbsp;писем записываются в&nbsp;журнал сервера.
    </>
  );
}
