import type { Autonomy } from "#contract/integrations.ts";

interface AutonomyLevel {
  value: Autonomy;
  name: string;
  about: string;
}

export const autonomyLevels: readonly AutonomyLevel[] = [
  { value: "off", name: "Не отвечает", about: "Двойник читает сообщения и ничего не пишет." },
  { value: "draft", name: "Черновики", about: "Двойник готовит ответ, отправляете его вы." },
  { value: "confident", name: "Сам, если уверен", about: "Уверенные ответы уходят сразу, остальные ждут вас." },
  { value: "auto", name: "Всегда сам", about: "Все ответы уходят сразу." },
];

/** New integrations draft, so a level that is not known is shown as that one. */
export function autonomyLevel(value: string | null | undefined): AutonomyLevel {
  return autonomyLevels.find((level) => level.value === value) ?? autonomyLevels[1]!;
}
