// What attached-files.spec.ts and attached-files.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { anna } from "../knowledge/answering-knowledge.ts";

export const IMPORT = uuid(710);
const days = { from: "2023-01-15T10:00:00.000Z", to: "2025-10-02T10:00:00.000Z" };

export const preview = {
  ...{ id: IMPORT, digitalTwinId: anna.id, fileName: "ChatExport.zip", status: "preview", format: "telegram-json" },
  ...{ incomplete: false, suggestedOwner: "user1", rejected: [], rejectedCount: 0, total: 850, processed: 0 },
  ...{ imported: 0, duplicates: 0, createdAt: "2025-11-20T07:01:00.000Z" },
  chats: [
    {
      ...{ id: "c1", name: "Мария", kind: "private", messages: 600, ...days },
      attached: [
        { kind: "speech", files: 42, bytes: 31_000_000 },
        { kind: "picture", files: 3, bytes: 2_000_000 },
      ],
    },
    {
      ...{ id: "c2", name: "Семья", kind: "group", messages: 250, ...days },
      attached: [{ kind: "speech", files: 100, bytes: 90_000_000 }],
    },
  ],
  people: [
    { id: "user1", name: "Анна Петрова", messages: 500 },
    { id: "user2", name: "Мария", messages: 300 },
  ],
};
