/**
 * What the specification says to be on each screen (section 2, with the names of sections 3 to 9), in its order: what stands there with
 * data, on an empty account and when the server's calls fail. Answers that the server never gives are in the tables beside the screens.
 */
import type { Page } from "@playwright/test";
import { button, field, heading, link, one, type Part, placeholder, tab, text } from "../support/specify.ts";

/** Whose screen it is: the demo workspace's, that of an account with nothing in it, or one whose every call but the session's fails. */
export type Visitor = "demo" | "new" | "failing" | "signed out";

export interface Statement extends Part {
  /** Default: a user who sees the screen. */
  visitors?: readonly Visitor[];
  /** It ends within so many heights of the screen. */
  screens?: number;
}

export interface SpecifiedScreen {
  /** `{id}` is a twin's. */
  at: string;
  /** The paragraph of section 2. */
  section: string;
  visitors?: readonly Visitor[];
  /** Section 8: failed list fetches are not handled visibly, and samples are shown instead. */
  failsUnseen?: true;
  statements: Statement[];
}

const SIGNED_IN = ["demo", "new", "failing"] as const;
const WITH_DATA = ["demo", "failing"] as const;

const by = (visitors: readonly Visitor[], ...parts: Part[]): Statement[] =>
  parts.map((part) => ({ ...part, visitors }));
const early = (screens: number, ...parts: Statement[]): Statement[] => parts.map((part) => ({ ...part, screens }));
const only = (width: "wide" | "phone", ...parts: Statement[]): Statement[] =>
  parts.map((part) => ({ ...part, only: width }));

const card = (label: string | RegExp) =>
  one(`card ${label}`, (page) => page.locator("main dl").filter({ hasText: label }).locator("dt, dd"));
const cardFigure = (label: string, figure: string | RegExp) =>
  one(`card ${label}: ${figure}`, (page) =>
    page
      .locator("main dl")
      .filter({ hasText: label })
      .first()
      .getByText(figure, { exact: typeof figure === "string" }),
  );
/** Not a button in the look of a card or of a title: the row's own. */
const inRow = (what: string, words: string | RegExp) =>
  one(`${what} in a row: ${words}`, (page) =>
    page
      .getByRole("main")
      .getByRole("listitem")
      .getByText(words, { exact: typeof words === "string" }),
  );
const buttonInRow = (name: string | RegExp) =>
  one(`button in a row: ${name}`, (page) => page.getByRole("main").getByRole("listitem").getByRole("button", { name }));
const linkInRow = (name: string | RegExp) =>
  one(`link in a row: ${name}`, (page) => page.getByRole("main").getByRole("listitem").getByRole("link", { name }));
/** A button or a link, whichever it is: the specification names its words. */
const control = (name: string | RegExp) =>
  one(`button or link ${name}`, (page) => page.getByRole("button", { name }).or(page.getByRole("link", { name })));

const sidebar = (page: Page) => page.getByRole("complementary", { name: "Боковая панель" });
const inSidebar = (words: string | RegExp) =>
  one(`sidebar: ${words}`, (page) => sidebar(page).getByText(words, { exact: typeof words === "string" }));
const bottomBar = (name: string) =>
  one(`bottom bar: ${name}`, (page) =>
    page.getByRole("navigation").filter({ visible: true }).last().getByRole("link", { name }),
  );

const shell: SpecifiedScreen = {
  at: "/twins",
  section: "Shared shell",
  visitors: SIGNED_IN,
  statements: [
    ...only(
      "wide",
      ...[
        "Панель управления",
        "Цифровые двойники",
        "База знаний",
        "Документы и обучающие материалы",
        "Интеграции",
        "Новое",
        "CRM интеграция",
        "Синхронизация с CRM системами",
        "Диалоги",
        "История диалогов с ИИ",
        "Аналитика",
        "Подробная аналитика и отчеты",
        "Настройки",
        "3",
        "12",
        "Pro Plan",
        "28%",
        "Улучшить тариф",
        "Пользователь",
      ].map(inSidebar),
      inSidebar(/2,847.*10,000/),
      button(/Поиск/),
    ),
    ...only("phone", ...["Главная", "Двойники", "Диалоги", "Аналитика", "Настройки"].map(bottomBar)),
    ...only("phone", button("Открыть меню")),
    one("the bell's badge", (page) => page.getByRole("button", { name: /^Уведомления: 3/ }).getByText("3")),
    control("Create Twin"),
  ],
};

const login: SpecifiedScreen = {
  at: "/login",
  section: "Login",
  visitors: ["signed out"],
  statements: [
    heading("Цифровые двойники"),
    heading("Безопасность"),
    // Security via messenger sign-in with data isolation.
    text(/мессенджер|Telegram/i),
    heading("ИИ-двойники"),
    heading("Интеграции"),
    text(/Telegram, WhatsApp и [Ee]mail/),
    text("Войти в систему"),
    text("Выберите способ авторизации"),
    button("Тестовый вход"),
    button("Войти с тестовым токеном"),
    one("или", (page) => page.getByText("или", { exact: true })),
    button("Войти по email"),
    link("Нет аккаунта? Зарегистрироваться", "/register"),
    text(/©.*2025/),
  ],
};

const dashboard: SpecifiedScreen = {
  at: "/dashboard",
  section: "Dashboard",
  visitors: SIGNED_IN,
  statements: [
    heading("Панель управления"),
    text("Обзор ваших цифровых двойников"),
    text("Поиск..."),
    one("the bell's badge", (page) => page.getByRole("button", { name: /^Уведомления: 3/ }).getByText("3")),
    one("create", (page) => page.getByRole("banner").getByRole("link", { name: "Создать" })),
    one("avatar", (page) => page.getByRole("button", { name: /^Меню пользователя/ })),
    ...early(
      2,
      heading(/^Добро пожаловать/),
      ...["Активные двойники", "Сообщений сегодня", "Точность ИИ"].map((words) =>
        one(`highlight: ${words}`, (page) => page.getByRole("region", { name: "Главное" }).getByText(words)),
      ),
      ...["Всего двойников", "Активны сегодня", "Обработано сообщений за все время", "Средняя точность"].map(card),
    ),
    ...by(
      ["demo", "new"],
      one("a percent change on each card", (page) =>
        page
          .locator("main dl dd")
          .filter({ hasText: /^[+−-]?\d+%$/ })
          .nth(3),
      ),
    ),
    ...by(
      ["demo"],
      inRow("badge", /^(Активен|Неактивен)$/),
      one("accuracy of a twin", (page) =>
        page.getByRole("region", { name: "Мои двойники" }).getByRole("listitem").getByText(/\d+%$/),
      ),
    ),
    ...by(["new"], text("Нет цифровых двойников"), control("Создать первого двойника"), text("Нет активности")),
    ...[control(/Создать двойника/), control("Начать диалог"), control("Открыть аналитику")],
  ],
};

const twins: SpecifiedScreen = {
  at: "/twins",
  section: "Twins list",
  visitors: SIGNED_IN,
  statements: [
    heading("Цифровые двойники"),
    ...early(2, ...["Всего двойников", "Активные", "Неактивные", "В этом месяце"].map(card)),
    one("to /train-ai", (page) => page.getByRole("main").locator("a[href='/train-ai']")),
    one("to /add-integration", (page) => page.getByRole("main").locator("a[href='/add-integration']")),
    one("to /create-twin", (page) => page.locator("a[href='/create-twin']")),
    ...by(
      ["demo"],
      inRow("badge", /^(Активен|Неактивен)$/),
      linkInRow("Редактировать"),
      linkInRow("Настройки"),
      buttonInRow("Тест чат"),
    ),
    ...by(["new"], text("Пока нет цифровых двойников"), control(/первого двойника/)),
  ],
};

const twinFields = ["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"];

const createTwin: SpecifiedScreen = {
  at: "/create-twin",
  section: "Create twin",
  visitors: SIGNED_IN,
  statements: [
    ...twinFields.map((name) => field(name)),
    button("Создать Агента"),
    button("Очистить"),
    text(/Загрузите документы для обучения/),
    text(/Telegram, WhatsApp, Email/),
    text(/Проверьте двойника в диалогах/),
    text(/Настройте CRM интеграцию/),
  ],
};

const editTwin: SpecifiedScreen = {
  at: "/edit-twin/{id}",
  section: "Edit twin",
  visitors: ["demo", "new"],
  statements: [
    ...twinFields.map((name) => field(name)),
    button("Отмена"),
    button(/^Удалить (двойника|агента)/),
    button(/^Сохранить/),
  ],
};

const twinSettings: SpecifiedScreen = {
  at: "/twin-settings/{id}",
  section: "Twin settings",
  visitors: ["demo", "new"],
  statements: [
    one("activity switch", (page) => page.getByRole("switch")),
    text(/^(Агент активен и отвечает на сообщения|Агент приостановлен)$/),
    one("status badge", (page) => page.getByRole("main").getByText(/^(Готов|В обучении)$/)),
    ...["Создан", "Обновлен", "2,347", "89%"].map((words) => text(words)),
    one("to /train-ai", (page) => page.getByRole("main").locator("a[href='/train-ai']")),
    one("e-mail's state", (page) => page.getByRole("listitem").filter({ hasText: "Email" }).getByText("Не подключен")),
    one("Telegram's state", (page) =>
      page.getByRole("listitem").filter({ hasText: "Telegram" }).getByText("Не подключен"),
    ),
    one("to /add-integration", (page) => page.getByRole("main").locator("a[href='/add-integration']")),
    control("К списку"),
    one("edit", (page) => page.getByRole("main").locator("a[href^='/edit-twin/']")),
    control("Тест чат"),
  ],
};

const addIntegration: SpecifiedScreen = {
  at: "/add-integration",
  section: "Add integration",
  visitors: SIGNED_IN,
  statements: [
    heading("Добавить интеграцию"),
    field("Цифровой двойник"),
    ...["Telegram", "WhatsApp", "Email", "Slack", "Discord"].map((name) =>
      one(`platform ${name}`, (page) => page.getByRole("main").locator("form label").getByText(name, { exact: true })),
    ),
    button("Создать интеграцию", { disabled: true }),
    // The side panel lists platforms and instructions from the start.
    heading("Платформы и инструкции"),
    ...["Telegram", "WhatsApp", "Email", "Slack", "Discord"].map((name) =>
      one(`panel: ${name}`, (page) =>
        page.getByRole("region", { name: "Платформы и инструкции" }).getByText(new RegExp(`^${name} `)),
      ),
    ),
    text(/Все API ключи хранятся в зашифрованном виде/),
  ],
};

const trainingPanel = [
  text(/^Документов$/),
  text(/^Двойников$/),
  text("85%"),
  heading(/Советы/),
  heading("Статистика"),
];

const trainAi: SpecifiedScreen[] = [
  {
    at: "/train-ai",
    section: "Train AI, «Документы и знания»",
    visitors: SIGNED_IN,
    statements: [
      tab("Документы и знания"),
      tab("Примеры диалогов"),
      ...["Цифровой двойник", "Название документа", "Тип документа", "Содержимое", "Теги"].map((name) => field(name)),
      ...by(
        ["demo"],
        one("a document's status", (page) =>
          page.getByRole("complementary").or(page.getByRole("region")).getByRole("listitem").getByText("Обработан"),
        ),
      ),
      ...by(["new"], text("Документы пока не загружены")),
      ...trainingPanel,
    ],
  },
  {
    at: "/train-ai?tab=dialogues",
    section: "Train AI, «Примеры диалогов»",
    visitors: SIGNED_IN,
    statements: [
      tab("Документы и знания"),
      tab("Примеры диалогов"),
      ...["Цифровой двойник", "Имя участника", "Платформа", "История переписки"].map((name) => field(name)),
      ...by(["new"], text("Документы пока не загружены")),
      ...trainingPanel,
    ],
  },
];

const knowledge: SpecifiedScreen[] = [
  {
    at: "/knowledge",
    section: "Knowledge base, «Источники данных»",
    visitors: SIGNED_IN,
    statements: [
      heading("База знаний"),
      ...early(2, ...["Всего сообщений", "Сообщения Telegram", "Сообщения Email", "Сообщения WhatsApp"].map(card)),
      tab("Источники данных"),
      tab("Обучающие данные"),
      ...by(
        ["demo"],
        inRow("platform badge", /^(Telegram|Email|WhatsApp)$/),
        inRow("state badge", /^(Активен|Неактивен)$/),
        inRow("message count", /\d+\sсообщени/),
        inRow("last import", /\d\d\.\d\d\.\d{4}.*\d\d:\d\d|\d{4} г\.,? (в )?\d\d:\d\d|Никогда/),
        buttonInRow(/^Переимпорт/),
        text(/^Последнее обновление/),
      ),
      ...by(["new"], text("Источники данных не найдены")),
    ],
  },
  {
    at: "/knowledge?tab=messages",
    section: "Knowledge base, «Обучающие данные»",
    visitors: SIGNED_IN,
    statements: [
      one("search", (page) => page.getByRole("main").getByRole("searchbox")),
      field("Платформа"),
      field("Двойник"),
      ...by(
        ["demo"],
        inRow("platform badge", /^(Telegram|Email|WhatsApp)$/),
        inRow("training badge", "Обучающие данные"),
        inRow("time", /\d\d:\d\d/),
      ),
      ...by(["new"], text("Сообщения не найдены")),
    ],
  },
];

const integrations: SpecifiedScreen = {
  at: "/integrations",
  section: "Integrations",
  visitors: SIGNED_IN,
  statements: [
    heading("Интеграции"),
    ...early(
      2,
      ...["Учетные данные", "Подтверждение", "Импорт", "Готово"].map((words) =>
        one(`step ${words}`, (page) =>
          page.getByRole("list", { name: "Шаги подключения" }).getByText(words, { exact: true }),
        ),
      ),
    ),
    ...by(["demo", "failing"], ...["API ID", "API Hash"].map((name) => field(name)), placeholder("+7XXXXXXXXXX")),
    heading(/^Активные интеграции \(\d+\)$/),
    ...by(
      WITH_DATA,
      inRow("phone number", /^(Номер скрыт|\+\d[\d ()-]+)$/),
      inRow("badge", /^(Активна|Неактивна)$/),
      inRow("message count", /\d+\sсообщени/),
      inRow("last sync", /(Не указана|\d{4}\sг\.,?\s(в\s)?\d\d:\d\d)$/),
    ),
  ],
};

const crm: SpecifiedScreen = {
  at: "/crm",
  section: "CRM integration",
  visitors: SIGNED_IN,
  statements: [
    heading("CRM интеграция"),
    one("«+ Добавить интеграцию»", (page) =>
      page.getByRole("main").getByText("+ Добавить интеграцию", { exact: true }),
    ),
    ...early(2, ...["Подключено CRM", "Всего лидов", "Active Deals", "Conversion Rate"].map(card)),
    cardFigure("Conversion Rate", "23.5%"),
    // Derived from the integration's status: connected, disconnected or error.
    inRow("status of an entry", /^(Подключена|Отключена|Ошибка)$/),
    button("Configure"),
    button("Sync Now"),
    heading("Available Integrations"),
    one("six systems, each with its link", (page) =>
      page.getByRole("region", { name: "Available Integrations" }).getByText("Подключить", { exact: true }).nth(5),
    ),
  ],
};

const conversations: SpecifiedScreen = {
  at: "/conversations",
  section: "Conversations",
  failsUnseen: true,
  visitors: SIGNED_IN,
  statements: [
    heading("Диалоги"),
    ...early(2, ...["Всего диалогов", "Активные чаты", "Всего сообщений", "Время ответа"].map(card)),
    cardFigure("Время ответа", "2.3s"),
    control("Фильтр"),
    control("Экспорт"),
    control("Новый диалог"),
    one("search", (page) =>
      page
        .getByRole("main")
        .getByRole("searchbox")
        .or(page.getByRole("main").getByRole("button", { name: "Поиск" })),
    ),
    ...by(
      WITH_DATA,
      inRow("state badge", /^(Активен|Завершен)$/),
      inRow("message count", /^\d+\sсообщени/),
      one("open chat", (page) =>
        page.getByRole("main").getByRole("listitem").getByText("Открыть чат", { exact: true }),
      ),
    ),
    ...by(["new"], text("Пока нет диалогов"), control("Начать диалог")),
  ],
};

const analytics: SpecifiedScreen = {
  at: "/analytics",
  section: "Analytics",
  failsUnseen: true,
  visitors: SIGNED_IN,
  statements: [
    heading("Аналитика"),
    ...early(2, ...["Всего взаимодействий", "Точность ответов", "Удовлетворенность", "Время ответа"].map(card)),
    one("satisfaction out of 5.0", (page) =>
      page.locator("main dl").filter({ hasText: "Удовлетворенность" }).getByText(/5\.0/),
    ),
    heading(/^Взаимодействия по дням/),
    heading("Кто отвечал чаще"),
    button("7 дней"),
    button("Экспорт отчета"),
  ],
};

const onboarding: SpecifiedScreen = {
  at: "/onboarding",
  section: "Onboarding",
  visitors: SIGNED_IN,
  statements: [
    ...only(
      "wide",
      ...["Импорт данных", "Анализ", "Первый ответ", "Обратная связь"].map((words) =>
        one(`step ${words}`, (page) => page.getByRole("main").getByText(words, { exact: true })),
      ),
    ),
    field("Имя двойника"),
    ...["Telegram", "Email", "WhatsApp"].map((name) =>
      one(`source ${name}`, (page) =>
        page.getByRole("group", { name: "Источник данных" }).getByText(name, { exact: true }),
      ),
    ),
    text(/Переписку видите только вы/),
    button("Продолжить", { disabled: true }),
    control("Пропустить пока"),
  ],
};

/** Steps 2 to 4 show a spinner with English progress text. */
const onboardingSteps = (["Анализ", "Первый ответ", "Обратная связь"] as const).map(
  (title, at): SpecifiedScreen => ({
    at: `/onboarding?twin={id}&step=${at + 2}`,
    section: `Onboarding, «${title}»`,
    visitors: ["demo", "new"],
    statements: [
      heading(title),
      one("progress in English", (page) =>
        page
          .getByRole("main")
          .locator("p[lang=en]")
          .getByText(/^[A-Z][a-z ,]+\.\.\.$/),
      ),
      one("spinner", (page) => page.getByRole("main").locator("p[lang=en] svg")),
    ],
  }),
);

const admin: SpecifiedScreen[] = [
  {
    at: "/admin",
    section: "Super admin panel, overview",
    failsUnseen: true,
    visitors: SIGNED_IN,
    statements: [
      ...early(
        1,
        tab("Обзор"),
        tab("Организации"),
        ...only("wide", tab("Подписки"), tab("Аналитика")),
        ...["Организации", "Пользователи", "Цифровые двойники", "Сообщения"].map(card),
      ),
      ...["Активность", "Состояние системы", "Выручка"].map((name) => heading(name)),
    ],
  },
  {
    at: "/admin?tab=organizations",
    section: "Super admin panel, organizations",
    failsUnseen: true,
    visitors: SIGNED_IN,
    statements: [control("Add"), control(/^Manage/)],
  },
  {
    at: "/admin?tab=subscriptions",
    section: "Super admin panel, subscriptions",
    failsUnseen: true,
    visitors: SIGNED_IN,
    statements: only("wide", control("Edit Plan"), text(/^(Active|Inactive)$/), text(/₽4,999/)),
  },
  {
    at: "/admin?tab=analytics",
    section: "Super admin panel, analytics",
    failsUnseen: true,
    visitors: SIGNED_IN,
    statements: only("wide", heading(/по дням|по месяцам/)),
  },
];

const organization: SpecifiedScreen[] = [
  {
    at: "/org-admin",
    section: "Organization admin panel, overview",
    visitors: SIGNED_IN,
    statements: [
      tab("Обзор"),
      tab("Пользователи"),
      ...only("wide", tab("Двойники"), tab("Оплата"), tab("Использование")),
      ...early(2, ...["Пользователи", "Цифровые двойники", "Сообщения", "Активные интеграции"].map(card)),
      text("Текущая подписка"),
      button("Сменить план"),
    ],
  },
  {
    at: "/org-admin?tab=users",
    section: "Organization admin panel, users",
    visitors: SIGNED_IN,
    statements: [button("Invite User")],
  },
];

const notFound: SpecifiedScreen = {
  at: "/no-such-page",
  section: "404",
  visitors: SIGNED_IN,
  statements: [heading("Страница не найдена")],
};

const landing: SpecifiedScreen = {
  at: "/landing",
  section: "Landing page",
  visitors: ["signed out", "demo"],
  statements: [
    // The map is in the hero.
    ...early(
      1.3,
      one("the central node", (page) => page.getByText("Digital Twin", { exact: true })),
    ),
    one("agent count", (page) => page.getByText(/7\sагентов/)),
    one("connection count, twice the agents", (page) => page.getByText(/14\sсвяз/)),
    ...early(1, text("10,000+"), text("4.9/5")),
    heading(/[Пп]очему/),
    text(/50,000\+/),
    ...["Мгновенный запуск", "Персонализация", "Корпоративная безопасность"].map((name) => heading(name)),
    text(/5\sминут/),
    one("the seventh card of an agent", (page) =>
      page.getByRole("main").getByRole("listitem").getByRole("heading", { level: 3 }).nth(6),
    ),
    button(/тариф|цен/i),
  ],
};

export const specification: SpecifiedScreen[] = [
  login,
  landing,
  shell,
  dashboard,
  twins,
  ...trainAi,
  ...knowledge,
  conversations,
  analytics,
  onboarding,
  integrations,
  addIntegration,
  crm,
  createTwin,
  ...admin,
  ...organization,
  notFound,
  // After the screens of an account without twins.
  editTwin,
  twinSettings,
  ...onboardingSteps,
];
