import { createHash } from "node:crypto";
import { cleanName, type ImportedChat, type ReadOptions } from "../message.ts";
import { type Head, namesWithColon, splitAuthor } from "./whatsapp-line.ts";
import { classifyText } from "./whatsapp-text.ts";

/** Matches the file name that the phone gives, in the languages of whatsapp-text.ts. */
const FILE_NAME =
  /^(?:Чат WhatsApp(?: с контактом| с| із| з| -)|WhatsApp Chat(?: with| mit| -)|Chat de WhatsApp con|Discussion WhatsApp avec|Chat WhatsApp con|Conversa do WhatsApp com|Czat WhatsApp z|WhatsApp-chat met) *(?! )(.+?)(?:\.txt|\.zip)?$/i;
const CREATED =
  /(?:создал(?:\(-?а\)|а)? группу|created group|hat die Gruppe|creó el grupo|a créé le groupe|ha creato il gruppo|criou o grupo|створи(?:в|ла|в\(-ла\)) групу|heeft de groep|utworzył\(?a?\)? grupę) [«"“„]([^\n]+)[»"”“]/i;

/** Infers facts about the chat, because the file does not describe it. */
export class ChatFacts {
  /** Derived from the chat's beginning, so that a later export of the same chat has the same id. */
  readonly id: string;
  /** Names of people and of the group that contain a colon. */
  readonly colonNames: readonly string[];
  /** The facts in the first chat event. */
  told: ImportedChat;
  private readonly hint: string | null;
  private readonly authors = new Set<string>();
  private title: string | null = null;
  private group = false;

  constructor(heads: readonly Head[], options: ReadOptions) {
    const firstWords = new Map<string, string>();
    this.colonNames = namesWithColon(heads.map(({ rest }) => rest));
    for (const head of heads) {
      const said = splitAuthor(head.rest, this.colonNames);
      if (!said) this.note(null, { kind: "service", text: head.rest });
      else {
        const judged = classifyText(said.text);
        this.note(said.author, judged);
        if (judged.kind !== "service" && !firstWords.has(said.author) && firstWords.size < 2) {
          firstWords.set(said.author, `${head.date.join(".")} ${head.hour}:${head.minute} ${head.rest}`);
        }
      }
    }
    const beginning = firstWords.size > 0 ? [...firstWords.values()] : [heads[0]?.rest ?? ""];
    this.id = `whatsapp-${createHash("sha256").update(JSON.stringify(beginning)).digest("hex").slice(0, 16)}`;
    this.hint = FILE_NAME.exec((options.fileName ?? "").normalize("NFC").replace(/^.*\//, ""))?.[1] ?? null;
    this.told = this.chat();
  }

  note(author: string | null, judged: { kind: string; text: string; isPoll?: true }): void {
    if (judged.kind !== "service" || judged.isPoll) {
      if (author !== null && this.authors.size < 3) this.authors.add(author);
      return;
    }
    // iOS exports name the chat as the sender of system messages.
    if (author !== null && judged.text !== "") this.title ??= author;
    const created = CREATED.exec(judged.text);
    if (created) this.title = created[1]!;
    if (
      created ||
      /(?:создал|добавил|удалил)(?:\(-?а\)|а)? |вступил|изменил(?:\(-?а\)|а)? (?:тему|картинку|описание|настройки) группы|(?:added|removed) |joined using|changed (?:this group|the subject|the group)/i.test(
        judged.text,
      )
    ) {
      this.group = true;
    }
  }

  chat(): ImportedChat {
    const kind = this.group || this.authors.size > 2 ? "group" : "private";
    const names = [...this.authors].slice(0, 2);
    const name =
      this.title ?? this.hint ?? (kind === "private" && names.length === 2 ? names.join(", ") : "Чат WhatsApp");
    return { id: this.id, name: cleanName(name) || "Чат WhatsApp", kind };
  }
}
