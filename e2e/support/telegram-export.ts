import { readFile } from "node:fs/promises";
import { join } from "node:path";

const CONTENT = join(import.meta.dirname, "../../server/demo/content/private-person");
const OWNER = { name: "Лёша Синицын", id: 410_200_300 };
/** Who has a chat of his own; all the others write into the group. */
const FRIENDS = ["Димон", "Мама", "Катя"];

interface Conversation {
  participantName: string;
  messages: { fromOwner: boolean; sentAt: string; text: string }[];
}

/** A file as Telegram Desktop writes it for a whole account: the demo person's conversations as three private chats and a group. */
export async function telegramExport() {
  const conversations: Conversation[] = JSON.parse(await readFile(join(CONTENT, "conversations.json"), "utf8"));
  const people = [...new Set(conversations.map(({ participantName }) => participantName))];
  const idOf = (name: string) => 520_000_000 + people.indexOf(name);
  const messagesOf = (wanted: (name: string) => boolean) =>
    conversations
      .filter(({ participantName }) => wanted(participantName))
      .flatMap(({ participantName: other, messages }) => messages.map((message) => ({ ...message, other })))
      .sort((a, b) => a.sentAt.localeCompare(b.sentAt))
      .map(({ fromOwner, sentAt, text, other }, place) => ({
        id: place + 1,
        type: "message",
        date: sentAt.slice(0, 19),
        date_unixtime: String(Date.parse(sentAt) / 1000),
        from: fromOwner ? OWNER.name : other,
        from_id: `user${fromOwner ? OWNER.id : idOf(other)}`,
        text,
        text_entities: [{ type: "plain", text }],
      }));
  const friends = FRIENDS.map((name) => ({
    name,
    type: "personal_chat",
    id: idOf(name),
    messages: messagesOf((other) => other === name),
  }));
  const group = {
    name: "Дача и репетиции",
    type: "private_group",
    id: 4_300_500,
    messages: messagesOf((other) => !FRIENDS.includes(other)),
  };
  const file = {
    about: "Here is the data you requested. Remember: Telegram is ad free.",
    personal_information: { user_id: OWNER.id, first_name: "Лёша", last_name: "Синицын", username: "@lesha_sin" },
    chats: { about: "This page lists all chats from this export.", list: [...friends, group] },
  };
  const count = (chats: { messages: unknown[] }[]) => chats.reduce((sum, { messages }) => sum + messages.length, 0);
  return {
    owner: OWNER.name,
    people: people.length + 1,
    messages: count([...friends, group]),
    privateMessages: count(friends),
    file: { name: "result.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file, null, 1)) },
  };
}

/** What the same person has written down about the summer house, as a file to upload. */
export async function summerHouseRules() {
  const buffer = await readFile(join(CONTENT, "documents/dacha-rules.md"));
  return { name: "Правила дачи.md", mimeType: "text/markdown", buffer };
}
