// A Telegram Desktop export of any size, written as that program writes it: indented by one, text repeated as entities.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { inventedText, seededRandom, vocabulary } from "./invented-text.ts";

export const EXPORT_OWNER = "user1";

const PER_CHAT = 2000;
const EPISODE = "Скажи, когда завтра удобно созвониться? Yes, after lunch works for me.".split(" ");
const START = 1_577_836_800;

/** Writes `total` messages of private chats, Russian and English, ~480 bytes each; the owner writes every third turn. @returns bytes */
export async function writeTelegramExport(path: string, total: number): Promise<number> {
  const random = seededRandom(5);
  const words = [...EPISODE, ...vocabulary(20_000, random)];
  const file = createWriteStream(path);
  const write = async (text: string) => {
    if (!file.write(text)) await once(file, "drain");
  };
  await write(`{\n "personal_information": {\n  "user_id": 1,\n  "first_name": "Пётр"\n },\n "chats": {\n  "list": [`);
  for (let chat = 0; chat * PER_CHAT < total; chat++) {
    const size = Math.min(PER_CHAT, total - chat * PER_CHAT);
    const other = `Собеседник ${chat}`;
    await write(
      `${chat > 0 ? "," : ""}\n   {\n    "name": "${other}",\n    "type": "personal_chat",\n    "id": ${1000 + chat},\n    "messages": [`,
    );
    let batch = "";
    for (let place = 0; place < size; place++) {
      const mine = place % 3 === 1;
      const at = START + chat * 3600 + place * 70;
      const text = JSON.stringify(inventedText(words, 2 + Math.floor(random() ** 3 * 15), random));
      const reply = place % 10 === 4 ? `     "reply_to_message_id": ${place},\n` : "";
      batch +=
        `${place > 0 ? "," : ""}\n     {\n      "id": ${place + 1},\n      "type": "message",\n` +
        `      "date": "${new Date(at * 1000).toISOString().slice(0, 19)}",\n      "date_unixtime": "${at}",\n` +
        `      "from": "${mine ? "Пётр" : other}",\n      "from_id": "${mine ? EXPORT_OWNER : `user${1000 + chat}`}",\n${reply}` +
        `      "text": ${text},\n      "text_entities": [\n       {\n        "type": "plain",\n        "text": ${text}\n       }\n      ]\n     }`;
    }
    await write(`${batch}\n    ]\n   }`);
  }
  await write("\n  ]\n }\n}\n");
  file.end();
  await finished(file);
  return file.bytesWritten;
}
