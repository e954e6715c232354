import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { marketingClaims } from "#web/display-values.ts";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { Section } from "./section.tsx";

/** Static content that is prerendered, so it needs no code. */
export default function Benefits() {
  return (
    <Section id="benefits" title="Почему выбирают нас" raised>
      <p className="mt-2 text-lg text-muted">
        {marketingClaims.sectionCompanies} компаний уже работают с&nbsp;двойниками
      </p>
      <ul className="mt-8 grid grid-cols-1 gap-8 md:grid-cols-3">
        <Benefit
          title="Мгновенный запуск"
          text={`Двойник готов к\u00a0работе через ${marketingClaims.deploymentMinutes}\u00a0минут: опишите его, загрузите документы и\u00a0проверьте ответы в\u00a0тестовом чате.`}
        >
          <ul className="flex w-full flex-col gap-3 px-4 text-base">
            {["Описать двойника", "Загрузить документы", "Проверить ответы"].map((step) => (
              <li key={step} className="flex items-center gap-3">
                <span className="grid size-7 place-items-center rounded-full bg-primary-soft">
                  <Check className="icon text-primary-text" />
                </span>
                {step}
              </li>
            ))}
          </ul>
        </Benefit>
        <Benefit
          title="Персонализация"
          text={"Манера берётся из\u00a0вашей переписки: длина фраз, обращение, любимые слова. Ответы звучат как ваши."}
        >
          <ol className="flex w-full flex-col gap-3">
            <ChatBubble author="owner" authorLabel="Вы">
              Привет! Соберём к&nbsp;пятнице :)
            </ChatBubble>
            <ChatBubble author="twin" authorLabel="Двойник">
              Привет! Ждите во&nbsp;вторник :)
            </ChatBubble>
          </ol>
        </Benefit>
        <Benefit
          title="Корпоративная безопасность"
          text={
            "Данные каждой организации изолированы, ключи хранятся в\u00a0зашифрованном виде, а\u00a0ответ можно одобрить до\u00a0отправки."
          }
        >
          <div className="flex w-full flex-col gap-3 rounded-md border bg-surface p-4">
            <p className="text-muted text-sm">Черновик двойника</p>
            <p className="text-base">Вам скидка 7% до&nbsp;пятницы.</p>
            <p className="flex gap-2 font-medium text-sm">
              <span className="rounded-md bg-primary px-3 py-1.5 text-on-primary">Одобрить</span>
              <span className="rounded-md border border-control px-3 py-1.5">Исправить</span>
            </p>
          </div>
        </Benefit>
      </ul>
    </Section>
  );
}

interface BenefitProps {
  title: string;
  text: string;
  children: ReactNode;
}

function Benefit({ title, text, children }: BenefitProps) {
  return (
    <li>
      <div aria-hidden className="flex h-40 items-center rounded-lg bg-bg p-5">
        {children}
      </div>
      <h3 className="mt-4 text-lg">{title}</h3>
      <p className="mt-1.5 max-w-measure text-muted">{text}</p>
    </li>
  );
}
