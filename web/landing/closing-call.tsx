import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { Button } from "#web/ui/button.tsx";

/** The page ends as it began: in the disc of the mark, with its ring behind. */
export function ClosingCall({ createPath }: { createPath: string }) {
  return (
    <section aria-labelledby="start" className="overflow-clip border-t py-14">
      <div className="relative left-1/2 w-[32rem] -translate-x-1/2 before:absolute before:inset-0 before:-translate-x-[7%] before:rounded-full before:border-2 before:border-echo">
        <div className="relative flex aspect-square flex-col items-center justify-center rounded-full bg-primary text-center text-on-primary dark:bg-primary-soft dark:text-fg">
          <h2 id="start" className="max-w-80 text-2xl">
            Ваш двойник может ответить уже сегодня
          </h2>
          <p className="mt-3 max-w-80 text-balance text-lg">
            От&nbsp;описания до&nbsp;первого ответа около {marketingClaims.deploymentMinutes}&nbsp;минут. Без карты
            и&nbsp;установки.
          </p>
          <Button asChild className="mt-6 border-transparent!">
            <Link href={createPath}>Создать агента</Link>
          </Button>
        </div>
      </div>
    </section>
  );
}
