import type { Autonomy } from "#contract/integrations/integrations.ts";

export interface AutonomyLevel {
  value: Autonomy;
  name: string;
  about: string;
  explanation: string;
}

export const autonomyLevels: readonly AutonomyLevel[] = [
  {
    value: "off",
    name: "Не отвечает",
    about: "Двойник читает сообщения и ничего не пишет.",
    explanation: "Сообщения видны в диалогах, двойник ничего не пишет и не предлагает.",
  },
  {
    value: "draft",
    name: "Черновики",
    about: "Двойник готовит ответ, отправляете его вы.",
    explanation: "Каждый ответ ждёт вас: отправьте его, поправьте или отклоните. С этого начинают.",
  },
  {
    value: "confident",
    name: "Сам, если уверен",
    about: "Уверенные ответы уходят сразу, остальные ждут вас.",
    explanation: "Уходит проверенное по документам: с моделью неверны не больше двух из ста. Остальное ждёт вас.",
  },
  {
    value: "auto",
    name: "Всегда сам",
    about: "Все ответы уходят сразу.",
    explanation: "Двойник отвечает на всё сразу, и когда не знает ответа: тогда он честно так и говорит.",
  },
];

/** Returns a level's texts; an unknown level is shown as draft, the default of new integrations. */
export function autonomyLevel(value: string | null | undefined): AutonomyLevel {
  return autonomyLevels.find((level) => level.value === value) ?? autonomyLevels[1]!;
}
