import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { Button } from "#web/ui/button.tsx";

export function ClosingCall({ createPath }: { createPath: string }) {
  return (
    <section aria-labelledby="start" className="bg-(--disc) text-on-primary dark:text-fg">
      <div className="mx-auto flex w-full max-w-[calc(var(--content)+2*var(--page-x))] flex-wrap items-center justify-between gap-5 px-page py-14">
        <div>
          <h2 id="start" className="text-2xl">
            Ваш двойник может ответить уже сегодня
          </h2>
          <p className="mt-3 text-lg">
            От&nbsp;описания до&nbsp;первого ответа около {marketingClaims.deploymentMinutes}&nbsp;минут. Без карты
            и&nbsp;установки.
          </p>
        </div>
        <Button asChild className="border-transparent! max-sm:w-full dark:bg-primary! dark:text-on-primary!">
          <Link href={createPath}>Создать двойника</Link>
        </Button>
      </div>
    </section>
  );
}
