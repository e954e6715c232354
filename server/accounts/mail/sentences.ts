/** Sentences of notices, for the screen and for letters. They hold no text that a user typed, except an address that we link to. */

type NoticeKind =
  | "new-device"
  | "password-reset"
  | "password-changed"
  | "second-factor-on"
  | "second-factor-off"
  | "recovery-codes-made"
  | "recovery-code-used"
  | "codes-refused"
  | "passkey-added"
  | "passkey-removed"
  | "api-key-created"
  | "member-joined"
  | "export-ready";

export interface Notice {
  kind: NoticeKind;
  /** Values for the sentence: `device` as named by us, `ip`, `left` recovery codes, `email` of a new member, `until` as words. */
  detail?: Partial<Record<"device" | "ip" | "left" | "email" | "until", string>>;
}

interface Words {
  subject: string;
  text: (detail: NonNullable<Notice["detail"]>) => string;
  /** Advice in case another person did it; the link to the account follows. */
  otherwise?: string;
}

const WORDS: Record<NoticeKind, Words> = {
  "new-device": { subject: "Вход с нового устройства", text: () => "В аккаунт вошли с нового устройства." },
  "password-reset": { subject: "Пароль изменён", text: () => "Пароль изменён по ссылке из письма." },
  "password-changed": { subject: "Пароль изменён", text: () => "Пароль аккаунта изменён." },
  "second-factor-on": { subject: "Вход по коду включён", text: () => "Включён вход по коду из приложения." },
  "second-factor-off": { subject: "Вход по коду отключён", text: () => "Вход по коду из приложения отключён." },
  "recovery-codes-made": {
    subject: "Новые коды восстановления",
    text: () => "Созданы новые коды восстановления, прежние больше не действуют.",
  },
  "recovery-code-used": {
    subject: "Вход по коду восстановления",
    text: ({ left }) => `В аккаунт вошли по коду восстановления. Осталось кодов: ${left ?? "0"}.`,
  },
  "codes-refused": {
    subject: "Кто-то знает ваш пароль",
    text: () => "В аккаунт пытались войти: пароль верный, но код введён неверно пять раз подряд.",
    otherwise: "Если это были не вы, ваш пароль знает кто-то ещё. Смените его сейчас:",
  },
  "passkey-added": { subject: "Добавлен ключ доступа", text: () => "К аккаунту добавлен ключ доступа." },
  "passkey-removed": { subject: "Удалён ключ доступа", text: () => "Из аккаунта удалён ключ доступа." },
  "api-key-created": {
    subject: "Создан ключ API",
    text: () => "В вашем аккаунте создан ключ API: с ним программы могут обращаться к двойнику.",
    otherwise:
      "Если это были не вы, отзовите ключ в разделе «Доступ» двойника, смените пароль и завершите чужие сеансы:",
  },
  "member-joined": {
    subject: "Новый участник организации",
    text: ({ email }) => `Приглашение принято: в вашей организации новый участник${email ? `, ${email}` : ""}.`,
    otherwise: "Если вы этого не ждали, удалите участника на странице организации и проверьте свой аккаунт:",
  },
  "export-ready": {
    subject: "Выгрузка данных готова",
    text: ({ until }) =>
      `Выгрузка всех данных готова. Скачать её можно${until ? ` до ${until}` : ""} там, где вы её заказали.`,
    otherwise: "Если выгрузку заказывали не вы, удалите её, смените пароль и завершите чужие сеансы:",
  },
};

export const noticeSentence = ({ kind, detail = {} }: Notice): string => {
  const place = [detail.device, detail.ip].filter(Boolean).join(", ");
  return `${WORDS[kind].text(detail)}${place === "" ? "" : ` ${place}.`}`;
};

export const isNoticeKind = (kind: string): kind is NoticeKind => Object.hasOwn(WORDS, kind);

const moscow = new Intl.DateTimeFormat("ru-RU", { dateStyle: "long", timeStyle: "short", timeZone: "Europe/Moscow" });

export function noticeLetter(notice: Notice, publicUrl: string, at: Date): { subject: string; text: string } {
  const { subject, otherwise } = WORDS[notice.kind];
  return {
    subject,
    text: `Здравствуйте!

${noticeSentence(notice)} Время: ${moscow.format(at)} (Москва). Платформа «Цифровые двойники».

Если это были вы, ничего делать не нужно.

${otherwise ?? "Если это были не вы, смените пароль и завершите чужие сеансы:"}

${publicUrl}/account

Если войти не получается, задайте новый пароль: ${publicUrl}/forgot-password
`,
  };
}
