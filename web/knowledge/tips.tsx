import { Check } from "lucide-react";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

const tips = [
  "Загружайте точные и\u00a0свежие документы: двойник отвечает по\u00a0ним и\u00a0показывает источник.",
  "Чем больше ваших реплик, тем ближе манера: лучше всего выгрузка личных чатов.",
  "Вопросы и\u00a0ответы пишите парами, каждый ответ\u00a0— целиком в\u00a0одном абзаце.",
  "Уберите из\u00a0текстов пароли и\u00a0чужие личные данные.",
];

export function Tips() {
  return (
    <PaperSection id="tips" title="Советы по обучению">
      <ul className="flex flex-col gap-2.5 text-md text-muted">
        {tips.map((tip) => (
          <li key={tip} className="flex gap-2.5">
            <Check aria-hidden className="icon mt-0.5 text-subtle" />
            {tip}
          </li>
        ))}
      </ul>
    </PaperSection>
  );
}
