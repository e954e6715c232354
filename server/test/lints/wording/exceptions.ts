/** What the rules of wording allow, and why; each list names texts as they stand in the sources. */

/** The specification's own strings with «агент» (sections 2, 5 and 8). Its catalogue of agents on the landing page is allowed as a folder. */
export const SPECIFIED_AGENTS = new Set([
  "Имя агента обязательно",
  "Агент не найден",
  "Неизвестный агент",
  "AI агент сгенерировал ответ",
  "Агент успешно создан и готов к обучению",
  "Создать Агента",
  "Агент обновлен!",
  "Агент удален",
  "Агент активен и отвечает на сообщения",
  "Агент приостановлен",
  "Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить.",
  // Section 9: pricing plans.
  "5 агентов",
  "Безлимитные агенты и сообщения",
]);
export const AGENT_CATALOGUE = /^web\/landing\//;

/**
 * Read by operators (settings, logs, the master key, /admin, where models are downloaded from), or by programmers who use the API (its
 * description, and refusals that no screen of ours brings about).
 */
export const OPERATORS_AND_PROGRAMMERS =
  /^server\/(?:main|serve|start-failure|platform\/(?:config|config\/contradictions|secrets\/(?:vault|unknown-master-key)|object-storage\/file-place|http\/json-body|files\/data-folder-lock|pages\/openapi)|accounts\/mail\/mail|operations\/health\/alerts|models\/media\/this-machine)\.ts$|^server\/(?:commands|platform\/(?:db|db-upkeep|pages\/openapi)|operations\/(?:backup|master-key|health\/alerts))\/|^web\/(?:platform-(?:admin|health)\/|parts\/health\/|model\/local\/hub-help\.tsx$)|^contract\/conversations\/chat-completions\.ts$/;

/** Texts elsewhere that name a format, a setting or a key as it is called where the user meets it. */
export const NAMED_AS_THE_USER_MEETS_IT = new Set([
  // Told to the platform's administrators alone.
  "Почта на этом сервере не настроена, письмо не отправлено. Ссылка для {} записана в журнал сервера.",
  // The guide in the data export's zip, for readers who process its files by program.
  "Переписка/  — история чатов, по файлу на источник. Формат — JSON Lines: первая строка описывает файл,",
  "data/       — остальное: файлы JSON Lines, по одной записи JSON в строке, UTF-8, время в ISO 8601.",
  // Errors for a program that uploads on its own; a browser always sends these.
  "Ожидалась загрузка файла (multipart/form-data)",
  "Ожидался запрос в формате JSON",
  "Ожидалась загрузка файла: multipart/form-data с полями digitalTwinId и file",
  // Kinds of proxies, as their sellers call them.
  "MTProxy пропускает только аккаунты Telegram: здесь нужен SOCKS5 или HTTP, например socks5://имя:пароль@сервер:порт",
  "Для обычного HTTP-прокси адрес начинается с http://, а не с https://.",
]);

/** Descriptions of calls, for the API's own page. */
export const CALL_SUMMARIES = new Set([
  "Ответ двойника: JSON, или поток событий при Accept: text/event-stream",
  "Загрузить файл выгрузки (multipart: digitalTwinId, file)",
  "Загрузить документ (JSON) или файлы (multipart)",
]);

/** Names of export formats, as other programs call them. */
export const FORMAT_NAMES =
  /Машиночитаемый JSON|Файл JSON из DiscordChatExporter|Discord \(JSON\)|Messenger и Instagram \(JSON\)|формат JSON/;
