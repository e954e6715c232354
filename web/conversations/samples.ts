/** Sample data for /conversations when the server has returned nothing; always marked with the badge «Пример». */
import type { ChatTurn } from "#web/parts/chat/chat.ts";
import { type ShownConversation, toShownConversation } from "./shown-conversation.ts";

const MINUTE = 60_000;

interface Sample {
  id: string;
  participant: string;
  twinName: string;
  platform: string;
  status: "active" | "closed";
  /** Minutes before the current time. */
  ago: number;
  messageCount: number;
  turns: readonly (readonly [role: ChatTurn["role"], text: string])[];
}

const samples: readonly Sample[] = [
  {
    id: "sample-1",
    participant: "Мария Соколова",
    twinName: "Анна, поддержка",
    platform: "telegram",
    status: "active",
    ago: 4,
    messageCount: 24,
    turns: [
      ["user", "Здравствуйте! Заказ уже отправили?"],
      ["assistant", "Здравствуйте, Мария! Да, вчера вечером. Завтра курьер будет у вас с 10 до 18."],
    ],
  },
  {
    id: "sample-2",
    participant: "Игорь Лебедев",
    twinName: "Павел, продажи",
    platform: "whatsapp",
    status: "active",
    ago: 38,
    messageCount: 17,
    turns: [
      ["user", "А если взять двести штук, цена другая?"],
      ["assistant", "От двухсот дадим 7 %. Прислать расчёт на почту?"],
    ],
  },
  {
    id: "sample-3",
    participant: "Ольга Ким",
    twinName: "Анна, поддержка",
    platform: "email",
    status: "closed",
    ago: 26 * 60,
    messageCount: 11,
    turns: [
      ["user", "Деньги за возврат пришли, спасибо."],
      ["assistant", "Отлично! Если что-то понадобится, пишите."],
    ],
  },
];

export function sampleConversations(now: number): ShownConversation[] {
  return samples.map(({ id, participant, twinName, platform, status, ago, messageCount, turns }) =>
    toShownConversation({
      id,
      twinId: undefined,
      twinName,
      participants: { name: participant, status },
      platform,
      lastMessage: turns.at(-1)?.[1],
      messageCount,
      createdAt: new Date(now - ago * MINUTE * 3).toISOString(),
      updatedAt: new Date(now - ago * MINUTE).toISOString(),
      cursor: undefined,
    }),
  );
}

export function sampleTurns({ id, lastMessageTime }: ShownConversation): ChatTurn[] {
  const turns = samples.find((sample) => sample.id === id)?.turns ?? [];
  return turns.map(([role, content], place) => ({ id: place + 1, role, content, timestamp: lastMessageTime ?? "" }));
}
