import { Variable } from "./variable.tsx";

/** Said to whoever runs the platform, wherever it is seen that no letter leaves it. */
export function LettersAdvice() {
  return (
    <>
      Укажите почтовый сервер в&nbsp;настройке <Variable>SMTP_URL</Variable> и&nbsp;перезапустите. Пока ссылки
      из&nbsp;писем записываются в&nbsp;журнал сервера.
    </>
  );
}
