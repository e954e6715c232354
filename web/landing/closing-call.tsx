import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "./section.tsx";

export function ClosingCall({ createPath }: { createPath: string }) {
  return (
    <Section
      id="start"
      title="Ваш двойник может ответить уже сегодня"
      className="flex flex-col items-center text-center"
    >
      <p className="mt-3 max-w-[34rem] text-balance text-lg text-muted">
        От&nbsp;описания до&nbsp;первого ответа около {marketingClaims.deploymentMinutes}&nbsp;минут. Без карты
        и&nbsp;установки.
      </p>
      <Button asChild variant="primary" className="mt-6">
        <Link href={createPath}>Создать агента</Link>
      </Button>
    </Section>
  );
}
