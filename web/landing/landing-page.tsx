import { Link } from "wouter";
import { marketingClaims } from "#web/display-values.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session.tsx";
import { PublicHeader } from "#web/shell/public-header.tsx";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Button } from "#web/ui/button.tsx";
import { Benefits } from "./benefits.tsx";
import { EcosystemMap } from "./ecosystem-map.tsx";

const claims = [
  { value: marketingClaims.heroClients, name: "клиентов" },
  { value: marketingClaims.rating, name: "средняя оценка" },
];

export default function LandingPage() {
  const { user } = useSession();
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader>
        <Button asChild className="ms-1">
          {user ? <Link href={paths.dashboard}>Панель управления</Link> : <Link href={paths.login}>Войти</Link>}
        </Button>
      </PublicHeader>
      <main lang="ru" className="flex flex-1 flex-col">
        <div className="mx-auto grid w-full max-w-[calc(var(--content)+2*var(--page-x))] flex-1 grid-cols-[minmax(0,1fr)] items-center gap-10 px-page pt-6 pb-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)] lg:pt-4 xl:gap-20">
          <div>
            <ScreenHeading title="ИИ, который отвечает вашими словами" className="max-w-[14ch] text-hero" />
            <p className="mt-5 max-w-[34rem] text-lg text-muted">
              Создайте цифрового двойника: он учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает клиентам
              в&nbsp;Telegram, WhatsApp и&nbsp;почте так, как ответили&nbsp;бы&nbsp;вы.
            </p>
            <div className="mt-8">
              <Button asChild variant="primary">
                <Link href={paths.createTwin}>Создать двойника</Link>
              </Button>
            </div>
            <dl className="mt-10 flex flex-wrap gap-x-10 gap-y-4">
              {claims.map(({ value, name }) => (
                <div key={name} className="flex flex-col-reverse">
                  <dt className="text-md text-muted">{name}</dt>
                  <dd className="font-semibold text-xl tracking-head">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
          <EcosystemMap />
        </div>
        <Benefits />
      </main>
      <footer lang="ru" className="border-t bg-surface px-page py-6 text-center text-sm text-subtle">
        © 2025 Цифровые двойники. Все права защищены.
      </footer>
    </div>
  );
}
