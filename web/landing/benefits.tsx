import { FingerprintPattern, ShieldCheck, Zap } from "lucide-react";
import { marketingClaims } from "#web/display-values.ts";
import { Section } from "./section.tsx";

const benefits = [
  {
    icon: Zap,
    title: "Мгновенный запуск",
    text: `Двойник готов к\u00a0работе через ${marketingClaims.deploymentMinutes}\u00a0минут: опишите его, загрузите документы и\u00a0проверьте ответы в\u00a0тестовом чате.`,
  },
  {
    icon: FingerprintPattern,
    title: "Персонализация",
    text: "Манера берётся из\u00a0вашей переписки: длина фраз, обращение, любимые слова. Ответы звучат как ваши.",
  },
  {
    icon: ShieldCheck,
    title: "Корпоративная безопасность",
    text: "Данные каждой организации изолированы, ключи хранятся в\u00a0зашифрованном виде, а\u00a0ответ можно одобрить до\u00a0отправки.",
  },
];

export function Benefits() {
  return (
    <Section id="benefits" title="Почему выбирают нас" raised>
      <p className="mt-2 text-lg text-muted">
        {marketingClaims.sectionCompanies} компаний уже работают с&nbsp;двойниками
      </p>
      <ul className="mt-8 grid grid-cols-1 gap-8 md:grid-cols-3 md:gap-10">
        {benefits.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon aria-hidden className="size-6 text-primary-text" strokeWidth={1.5} />
            <h3 className="mt-3 text-lg">{title}</h3>
            <p className="mt-1.5 max-w-measure text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
