import { BookOpen, Database, type LucideIcon, MessageSquareText, Plug } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";

const steps: readonly { icon: LucideIcon; text: string; to: string }[] = [
  { icon: BookOpen, text: "Загрузите документы для обучения", to: paths.trainAi },
  { icon: Plug, text: "Настройте интеграции с платформами: Telegram, WhatsApp, Email", to: paths.addIntegration },
  { icon: MessageSquareText, text: "Проверьте двойника в диалогах", to: paths.conversations },
  { icon: Database, text: "Настройте CRM интеграцию", to: paths.crm },
];

export function NextSteps({ created }: { created: Twin | undefined }) {
  const news = useRef<HTMLParagraphElement>(null);
  const id = created?.id;
  // On a phone the steps are below the form, which is empty again, so they are scrolled into view.
  useEffect(() => {
    if (id === undefined) return;
    news.current?.focus({ preventScroll: true });
    news.current?.closest("section")?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [id]);
  return (
    <Card aria-labelledby="next-steps" className="scroll-mt-[calc(var(--header)+1rem)]">
      <CardHeader id="next-steps" title="Следующие шаги" description="После создания двойника" />
      <CardBody className="flex flex-col gap-3">
        {created && (
          <p ref={news} tabIndex={-1} className="rounded-md bg-success-soft px-3 py-2 text-md text-success-text">
            Двойник «{created.name}» создан.{" "}
            <Link href={paths.twinSettings(created.id)} className="font-medium underline">
              Открыть настройки
            </Link>
          </p>
        )}
        <ol className="-mx-2 flex flex-col">
          {steps.map(({ icon: Icon, text, to }) => (
            <li key={to}>
              <Link
                href={to}
                className="flex min-h-control items-start gap-3 rounded-md px-2 py-2 text-md transition-colors hover:bg-hover"
              >
                <Icon aria-hidden className="icon mt-0.5 text-muted" />
                {text}
              </Link>
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
