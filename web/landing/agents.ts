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
  description: string;
  icon: LucideIcon;
}

/** The seven kinds of agents. The first is the centre of the map, the others stand around it from the top clockwise. */
export const agents: readonly [Agent, ...Agent[]] = [
  {
    id: "digital-twin",
    name: "Digital Twin",
    position: "Ваш двойник",
    description: "Учится на\u00a0ваших документах и\u00a0переписке и\u00a0отвечает так, как ответили бы вы.",
    icon: UserRound,
  },
  {
    id: "sales",
    name: "Агент продаж",
    position: "Менеджер по\u00a0продажам",
    description: "Отвечает на\u00a0заявки, рассказывает о\u00a0ценах и\u00a0условиях, ведёт клиента к\u00a0сделке.",
    icon: TrendingUp,
  },
  {
    id: "support",
    name: "Агент поддержки",
    position: "Специалист поддержки",
    description: "Решает частые вопросы по\u00a0вашей базе знаний и\u00a0честно говорит, когда ответа не\u00a0знает.",
    icon: Headphones,
  },
  {
    id: "content",
    name: "Контент-агент",
    position: "Редактор",
    description: "Пишет посты, письма и\u00a0описания вашим языком.",
    icon: PenLine,
  },
  {
    id: "analytics",
    name: "Аналитик",
    position: "Аналитик данных",
    description: "Собирает цифры из\u00a0диалогов и\u00a0показывает, о\u00a0чём спрашивают чаще всего.",
    icon: ChartColumn,
  },
  {
    id: "hr",
    name: "HR-агент",
    position: "Специалист по\u00a0персоналу",
    description: "Отвечает кандидатам и\u00a0сотрудникам: вакансии, отпуска, внутренние правила.",
    icon: UsersRound,
  },
  {
    id: "enterprise",
    name: "Enterprise-агент",
    position: "Корпоративный помощник",
    description: "Работает на\u00a0всю компанию: общие знания, роли и\u00a0раздельный доступ.",
    icon: Building2,
  },
];
