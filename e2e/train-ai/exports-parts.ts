// What the tests of exports.spec.ts and exports.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { anna } from "../knowledge/answering-knowledge.ts";

export const IMPORT = uuid(700);

export const exported = {
  id: IMPORT,
  digitalTwinId: anna.id,
  fileName: "result.json",
  status: "reading",
  format: "telegram-json",
  incomplete: false,
  chats: [] as unknown[],
  people: [] as unknown[],
  suggestedOwner: null as string | null,
  rejected: [] as unknown[],
  rejectedCount: 0,
  total: 0,
  processed: 0,
  imported: 0,
  duplicates: 0,
  createdAt: "2025-11-20T07:01:00.000Z",
};

const chat = (id: string, name: string, kind: string, messages: number) => ({
  id,
  name,
  kind,
  messages,
  from: "2023-01-15T10:00:00.000Z",
  to: "2025-10-02T10:00:00.000Z",
});

export const preview = {
  ...exported,
  status: "preview",
  incomplete: true,
  total: 950,
  chats: [
    {
      ...chat("c1", "Мария", "private", 600),
      firstLines: [
        {
          author: "Мария",
          text: "Привет! Ты уже решил, когда поедем смотреть квартиру? Хозяйка просила сказать ей заранее, она живёт за…",
        },
        { author: "Анна Петрова", text: "в субботу после двух" },
      ],
    },
    chat("c2", "Семья", "group", 250),
    ...Array.from({ length: 10 }, (_, place) => chat(`p${place}`, `Клиент ${place + 1}`, "private", 10)),
  ],
  people: [
    { id: "user1", name: "Анна Петрова", messages: 500 },
    { id: "user2", name: "Мария", messages: 300 },
  ],
  suggestedOwner: "user1",
  rejected: [{ line: 17, reason: "Нет даты сообщения" }],
  rejectedCount: 1,
};
