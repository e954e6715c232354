import {
  type IntegrationForm,
  type IntegrationPlatform,
  TELEGRAM_SUCCESS_RATE,
  USERBOT_API_KEY,
} from "#contract/integrations/integrations.ts";

type FieldName = Exclude<keyof IntegrationForm, "digitalTwinId" | "platform">;

/** Form «Заменить ключ» of a connected account; fields left empty keep their stored values. */
export interface KeyForm {
  additional: readonly FieldName[];
  hint: string;
}

export interface PlatformForm {
  platform: IntegrationPlatform;
  /** What the user needs to have ready, shown before a platform is chosen. */
  takes: string;
  about: string;
  fields: readonly FieldName[];
  /** Fields in the section «Дополнительно». */
  additional: readonly FieldName[];
  /** Fields that identify the account, shown before its key in a separate section that is open at first. */
  account?: readonly FieldName[];
  apiKeyLabel: string;
  apiKeyHint: string;
  /** Source of messages named in the confirmation of disconnecting; «этого аккаунта» when absent. */
  disconnected?: string;
  /** Fixed success rate sent with a new integration (web/display-values.ts); absent for none. */
  successRate?: number;
  key: KeyForm;
  /** Steps to obtain the keys; empty when each way has its own. */
  steps: readonly string[];
  /** Alternative ways to connect, the usual one first; absent when there is only one. */
  ways?: readonly ConnectionWay[];
}

/** One of several ways to connect to a platform; typing into one of its fields selects it. */
export interface ConnectionWay {
  name: string;
  about: string;
  fields: readonly FieldName[];
  required: readonly FieldName[];
  /** Value sent as the key when none is entered. */
  impliedKey?: string;
  warning?: string;
  steps: readonly string[];
}

export const emptyForm: IntegrationForm = {
  digitalTwinId: "",
  // A select holds "" while nothing is chosen; the schema rejects it with a message.
  platform: "" as IntegrationForm["platform"],
  apiKey: "",
  apiId: "",
  apiHash: "",
  phoneNumber: "",
  webhookUrl: "",
  appSecret: "",
  address: "",
  signingSecret: "",
  appToken: "",
  proxy: "",
};

export const platformForms: readonly PlatformForm[] = [
  {
    platform: "telegram",
    takes: "Ключ от @BotFather, минута",
    about: "Поддерживает Bot API или Userbot: бота или ваш собственный аккаунт.",
    fields: ["apiId", "apiHash", "phoneNumber", "apiKey"],
    additional: ["proxy"],
    apiKeyLabel: "Bot Token",
    apiKeyHint: "Ключ бота (token), который прислал @BotFather",
    successRate: TELEGRAM_SUCCESS_RATE,
    key: { additional: ["proxy"], hint: "Новый ключ того же бота: @BotFather → /mybots → API Token" },
    steps: [],
    ways: [
      {
        name: "Бот",
        about: "Отвечает от своего имени",
        fields: ["apiKey"],
        required: ["apiKey"],
        steps: [
          "Откройте @BotFather в Telegram и отправьте команду /newbot.",
          "Придумайте боту имя и адрес: адрес заканчивается на bot.",
          "Скопируйте ключ (token) из ответа и вставьте его в поле Bot Token. Больше ничего не нужно.",
        ],
      },
      {
        name: "Личный аккаунт",
        about: "Читает вашу переписку и отвечает от вас",
        fields: ["apiId", "apiHash", "phoneNumber"],
        required: ["apiId", "apiHash"],
        impliedKey: USERBOT_API_KEY,
        warning:
          "За вход через сторонние приложения Telegram может ограничить аккаунт, а собеседники должны согласиться, что их сообщения прочитает ИИ.",
        steps: [
          "Войдите на my.telegram.org по номеру телефона и откройте API development tools.",
          "Создайте приложение и скопируйте его API ID и API Hash.",
          "Введите их и номер телефона. Код подтверждения запрашивается потом, на странице «Интеграции».",
        ],
      },
    ],
  },
  {
    platform: "whatsapp",
    takes: "Приложение Meta и номер",
    about: "Отвечает клиентам вашего бизнеса через WhatsApp Cloud API.",
    fields: ["apiKey", "phoneNumber"],
    additional: ["appSecret", "proxy"],
    apiKeyLabel: "API ключ",
    apiKeyHint: "Постоянный ключ приложения (access token)",
    key: { additional: ["appSecret", "proxy"], hint: "Новый ключ (access token) к тому же номеру" },
    steps: [
      "Создайте бизнес-приложение в кабинете разработчика Meta.",
      "Скопируйте ключ (access token) и номер телефона; App Secret нужен, чтобы получать сообщения.",
    ],
  },
  {
    platform: "email",
    takes: "Адрес и пароль приложения",
    about: "Читает входящие письма и отвечает на них из вашего ящика.",
    fields: ["apiKey"],
    account: ["address"],
    additional: ["proxy"],
    apiKeyLabel: "API ключ",
    disconnected: "этой почты",
    key: { additional: ["proxy"], hint: "Новый пароль приложения того же ящика" },
    apiKeyHint: "Это пароль приложения, не пароль от входа. Для почты на своём сервере — imaps://имя:пароль@сервер",
    steps: [
      "Включите доступ по IMAP в настройках почты.",
      "Создайте пароль приложения, обычный пароль не подойдёт.",
      "Введите адрес ящика, а пароль приложения — в поле «API ключ».",
      "Ящики Outlook и Microsoft 365 пока не подключить: Microsoft не пускает почтовые программы по паролю.",
    ],
  },
  {
    platform: "slack",
    takes: "Приложение рабочего пространства",
    about: "Отвечает на личные сообщения боту в рабочем пространстве.",
    fields: ["apiKey", "webhookUrl"],
    additional: ["signingSecret", "appToken", "proxy"],
    apiKeyLabel: "API ключ",
    apiKeyHint: "Ключ бота (Bot User OAuth Token), начинается с xoxb-",
    key: {
      additional: ["signingSecret", "appToken", "proxy"],
      hint: "Новый ключ бота в том же пространстве, начинается с xoxb-",
    },
    steps: [
      "Создайте приложение Slack и установите его в пространство.",
      "Скопируйте ключ бота (Bot User OAuth Token) и адрес входящего вебхука.",
      "Чтобы получать сообщения, добавьте Signing Secret или App-Level Token.",
    ],
  },
  {
    platform: "discord",
    takes: "Ключ бота",
    about: "Отвечает на личные сообщения боту.",
    fields: ["apiKey"],
    additional: ["proxy"],
    apiKeyLabel: "API ключ",
    apiKeyHint: "Ключ бота (Token)",
    key: { additional: ["proxy"], hint: "Новый ключ того же бота: Developer Portal → Bot → Reset Token" },
    steps: [
      "Создайте бота в Discord Developer Portal и скопируйте его ключ (Token).",
      "Пригласите бота на сервер: его участники смогут писать боту лично.",
    ],
  },
  {
    platform: "max",
    takes: "Ключ бота, для фирм и ИП",
    about: "Отвечает на личные сообщения боту. Ключи MAX выдаёт только российским компаниям и ИП.",
    fields: ["apiKey"],
    additional: ["proxy"],
    apiKeyLabel: "API ключ",
    apiKeyHint: "Ключ бота (токен) из раздела «Чат-боты»",
    key: { additional: ["proxy"], hint: "Новый ключ того же бота: «Чат-боты» → ⋮ → «Настройки»" },
    steps: [
      "Подтвердите организацию в «MAX для бизнеса»: ключи выдают только российским компаниям и индивидуальным предпринимателям.",
      "В разделе «Чат-боты» нажмите «Создать» и заполните карточку бота.",
      "Откройте его ⋮ → «Настройки», скопируйте ключ (токен) и вставьте его в поле «API ключ».",
      "Дождитесь модерации MAX: пока её нет, клиенты не могут написать боту.",
    ],
  },
  {
    platform: "vk",
    takes: "Ключ сообщества",
    about: "Отвечает на личные сообщения вашему сообществу.",
    fields: ["apiKey"],
    additional: ["proxy"],
    apiKeyLabel: "Ключ доступа",
    apiKeyHint: "Ключ сообщества с доступом к управлению и сообщениям",
    disconnected: "этого сообщества",
    key: { additional: ["proxy"], hint: "Новый ключ того же сообщества: «Управление», «Работа с API»" },
    steps: [
      "Откройте своё сообщество ВКонтакте и нажмите «Управление».",
      "Выберите «Работа с API»; в новом меню этот пункт стоит в разделе «Дополнительно».",
      "Нажмите «Создать ключ» и отметьте доступ к управлению сообществом и к сообщениям.",
      "Подтвердите создание, скопируйте ключ и вставьте его в поле «Ключ доступа».",
      "Проверьте, что в «Управлении» включены сообщения сообщества и возможности ботов.",
      "Остальное двойник включит сам: получение сообщений, ответов менеджеров и согласий писать.",
    ],
  },
];

export const platformForm = (platform: string) => platformForms.find((form) => form.platform === platform);

/** Whether the integration has a replaceable key. A Telegram user account has none; its owner signs in again. */
export const hasKey = ({
  platform,
  account,
  isBot,
}: {
  platform: string;
  account?: string | null | undefined;
  isBot?: boolean | undefined;
}) =>
  platformForm(platform) !== undefined &&
  (platform !== "telegram" || isBot === true || !account || account.startsWith("@"));
