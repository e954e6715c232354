import { Check } from "lucide-react";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

const SECRETS = "Уберите из\u00a0текстов пароли и\u00a0чужие личные данные.";
const OF_DOCUMENTS = [
  "Загружайте точные и\u00a0свежие документы: двойник отвечает по\u00a0ним и\u00a0показывает источник.",
  "Вопросы и\u00a0ответы пишите парами, каждый ответ\u00a0— целиком в\u00a0одном абзаце.",
  SECRETS,
];
const OF_CHATS = [
  "Чем больше ваших реплик, тем ближе манера: лучше всего выгрузка личных чатов.",
  "Один разговор проще вставить текстом.",
  SECRETS,
];

/** @param chats whether the user adds conversations, not documents */
export function Tips({ chats }: { chats: boolean }) {
  return (
    <PaperSection id="tips" title="Советы по обучению">
      <ul className="flex flex-col gap-2.5 text-md text-muted">
        {(chats ? OF_CHATS : OF_DOCUMENTS).map((tip) => (
          <li key={tip} className="flex gap-2.5">
            <Check aria-hidden className="icon mt-0.5 text-subtle" />
            {tip}
          </li>
        ))}
      </ul>
    </PaperSection>
  );
}
