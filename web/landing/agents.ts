import {
  Building2,
  ChartColumn,
  Headphones,
  type LucideIcon,
  PenLine,
  TrendingUp,
  UserRound,
  UsersRound,
} from "lucide-react";

export interface Agent {
  id: "digital-twin" | "sales" | "support" | "content" | "analytics" | "hr" | "enterprise";
  name: string;
  position: string;
  /** A class: strokes take the hue of their kind of agent from the design tokens. */
  color: string;
  description: string;
  features: readonly [string, string, string];
  icon: LucideIcon;
}

/** The seven kinds of agents. The first is the centre of the map, the others surround it clockwise from the top. */
export const agents: readonly [Agent, ...Agent[]] = [
  {
    id: "digital-twin",
    name: "Цифровой двойник",
    position: "Отвечает за\u00a0вас",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-digital-twin))]",
    description: "Учится на\u00a0ваших документах и\u00a0переписке и\u00a0отвечает так, как ответили бы вы.",
    features: [
      "Перенимает вашу манеру: длину фраз, обращение, любимые слова",
      "Показывает, на\u00a0каком документе основан ответ",
      "Ждёт вашего одобрения там, где сомневается",
    ],
    icon: UserRound,
  },
  {
    id: "sales",
    name: "Агент продаж",
    position: "Менеджер по\u00a0продажам",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-sales))]",
    description: "Отвечает на\u00a0заявки, рассказывает о\u00a0ценах и\u00a0условиях, ведёт клиента к\u00a0сделке.",
    features: [
      "Отвечает на\u00a0заявку сразу, в\u00a0том\u00a0числе ночью",
      "Называет цены и\u00a0сроки из\u00a0вашего прайса",
      "Передаёт готового к\u00a0покупке клиента менеджеру",
    ],
    icon: TrendingUp,
  },
  {
    id: "support",
    name: "Агент поддержки",
    position: "Специалист поддержки",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-support))]",
    description: "Решает частые вопросы по\u00a0вашей базе знаний и\u00a0честно говорит, когда ответа не\u00a0знает.",
    features: [
      "Отвечает по\u00a0инструкциям и\u00a0правилам компании",
      "Помнит, о\u00a0чём уже говорили в\u00a0этом диалоге",
      "Зовёт человека, когда вопрос не\u00a0по\u00a0силам",
    ],
    icon: Headphones,
  },
  {
    id: "content",
    name: "Контент-агент",
    position: "Редактор",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-content))]",
    description: "Пишет посты, письма и\u00a0описания вашим языком.",
    features: [
      "Держится вашего словаря и\u00a0тона",
      "Предлагает несколько заголовков на\u00a0выбор",
      "Собирает текст из\u00a0ваших материалов, а\u00a0не\u00a0из\u00a0общих мест",
    ],
    icon: PenLine,
  },
  {
    id: "analytics",
    name: "Аналитик",
    position: "Аналитик данных",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-analytics))]",
    description: "Собирает цифры из\u00a0диалогов и\u00a0показывает, о\u00a0чём спрашивают чаще всего.",
    features: [
      "Находит повторяющиеся вопросы",
      "Сравнивает недели и\u00a0каналы",
      "Подсказывает, каких ответов не\u00a0хватает в\u00a0базе знаний",
    ],
    icon: ChartColumn,
  },
  {
    id: "hr",
    name: "HR-агент",
    position: "Специалист по\u00a0персоналу",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-hr))]",
    description: "Отвечает кандидатам и\u00a0сотрудникам: вакансии, отпуска, внутренние правила.",
    features: [
      "Рассказывает о\u00a0вакансии и\u00a0этапах отбора",
      "Отвечает про отпуска, больничные и\u00a0компенсации",
      "Проводит новичка через первую неделю",
    ],
    icon: UsersRound,
  },
  {
    id: "enterprise",
    name: "Enterprise-агент",
    position: "Справочная компании",
    color: "text-[oklch(var(--ag-l)_.085_var(--ag-enterprise))]",
    description: "Работает на\u00a0всю компанию: общие знания, роли и\u00a0раздельный доступ.",
    features: [
      "Отвечает каждому отделу только по\u00a0его документам",
      "Ведёт журнал действий",
      "Размещается на\u00a0серверах компании",
    ],
    icon: Building2,
  },
];
