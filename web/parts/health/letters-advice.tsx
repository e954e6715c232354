import { Variable } from "./variable.tsx";

/** Shown to the operator wherever it becomes visible that no letter can be sent. */
export function LettersAdvice() {
  return (
    <>
      Укажите почтовый сервер в&nbsp;настройке <Variable>SMTP_URL</Variable> и&nbsp;перезапустите. Пока ссылки
      из&nbsp;писем записываются в&nbsp;журнал сервера.
    </>
  );
}
