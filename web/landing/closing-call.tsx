import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { MarkDisc } from "#web/shell/public/mark-disc.tsx";
import { Button } from "#web/ui/button.tsx";

/** The page ends as it began: in the disc of the mark, with its ring behind. */
export function ClosingCall({ createPath }: { createPath: string }) {
  return (
    <section aria-labelledby="start" className="overflow-clip border-t py-14">
      <MarkDisc className="relative left-1/2 w-[32rem] -translate-x-1/2">
        <h2 id="start" className="max-w-80 text-2xl">
          Ваш двойник может ответить уже сегодня
        </h2>
        <p className="mt-3 max-w-80 text-balance text-lg">
          От&nbsp;описания до&nbsp;первого ответа около {marketingClaims.deploymentMinutes}&nbsp;минут. Без карты
          и&nbsp;установки.
        </p>
        <Button asChild className="mt-6 border-transparent! dark:bg-primary! dark:text-on-primary!">
          <Link href={createPath}>Создать двойника</Link>
        </Button>
      </MarkDisc>
    </section>
  );
}
