import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { MarkDisc } from "./public/mark-disc.tsx";
import { PublicHeader } from "./public/public-header.tsx";
import { ScreenHeading } from "./screen-heading.tsx";

export default function NotFoundPage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader />
      <main lang="ru" className="grid flex-1 grid-cols-1 items-center justify-items-center overflow-clip p-6">
        <MarkDisc className="relative w-full max-w-md">
          <ScreenHeading title="Страница не найдена" className="text-xl" />
          <p className="mt-3 max-w-56 text-md">Такого адреса нет. Возможно, ссылка устарела или в ней опечатка.</p>
          <Button asChild className="mt-6 border-transparent!">
            <Link href={paths.home}>На главную</Link>
          </Button>
        </MarkDisc>
      </main>
    </div>
  );
}
