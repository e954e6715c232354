import type { Agent } from "./agents.ts";

/** Data that only an agent's dialog shows. Figures and people are invented, so the dialog says «Пример». */
interface AgentProfile {
  /** Percent, 85–99. */
  efficiency: number;
  responseTime: string;
  /** Percent, 90–99. */
  accuracy: number;
  testimonial: { text: string; author: string; company: string };
}

export const agentProfiles: Record<Agent["id"], AgentProfile> = {
  "digital-twin": {
    efficiency: 95,
    responseTime: "2\u00a0с",
    accuracy: 97,
    testimonial: {
      text: "Пишут мне по\u00a0вечерам, а\u00a0ответ приходит сразу, теми\u00a0же словами, какими ответила\u00a0бы\u00a0я. Утром смотрю только сложное.",
      author: "Анна Ветрова",
      company: "студия интерьеров «Ветер»",
    },
  },
  sales: {
    efficiency: 92,
    responseTime: "3\u00a0с",
    accuracy: 94,
    testimonial: {
      text: "Заявки больше не\u00a0остывают за\u00a0выходные. В\u00a0понедельник менеджер звонит тем, кто уже знает цену и\u00a0сроки.",
      author: "Игорь Лапин",
      company: "мебельная фабрика «Дубрава»",
    },
  },
  support: {
    efficiency: 98,
    responseTime: "1\u00a0с",
    accuracy: 96,
    testimonial: {
      text: "Две трети обращений были про одно и\u00a0то\u00a0же. Теперь люди из\u00a0поддержки занимаются остальной третью.",
      author: "Марина Юсупова",
      company: "сервис доставки «Сорока»",
    },
  },
  content: {
    efficiency: 89,
    responseTime: "8\u00a0с",
    accuracy: 93,
    testimonial: {
      text: "Черновик приходит уже нашим языком. Правлю факты, а\u00a0не\u00a0интонацию.",
      author: "Павел Громов",
      company: "журнал «Верстак»",
    },
  },
  analytics: {
    efficiency: 94,
    responseTime: "5\u00a0с",
    accuracy: 99,
    testimonial: {
      text: "Узнали, что каждый пятый спрашивает про самовывоз, а\u00a0на\u00a0сайте о\u00a0нём ни\u00a0слова.",
      author: "Елена Коваль",
      company: "магазин «Ткани и\u00a0нити»",
    },
  },
  hr: {
    efficiency: 87,
    responseTime: "4\u00a0с",
    accuracy: 92,
    testimonial: {
      text: "Кандидаты получают ответ в\u00a0тот\u00a0же день, а\u00a0новички перестали искать, у\u00a0кого спросить про отпуск.",
      author: "Светлана Орлова",
      company: "сеть пекарен «Тесто»",
    },
  },
  enterprise: {
    efficiency: 99,
    responseTime: "2\u00a0с",
    accuracy: 98,
    testimonial: {
      text: "Регламенты лежали в\u00a0двенадцати папках. Теперь их\u00a0спрашивают словами, и\u00a0каждый отдел видит только своё.",
      author: "Дмитрий Шилов",
      company: "группа компаний «Северный порт»",
    },
  },
};
