import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { BrandMark } from "#web/ui/brand-mark.tsx";
import { Button } from "#web/ui/button.tsx";
import { ScreenHeading } from "./screen-heading.tsx";

export default function NotFoundPage() {
  return (
    <main lang="ru" className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <BrandMark className="h-10" />
      <ScreenHeading title="Страница не найдена" className="text-2xl" />
      <p className="max-w-prose text-muted">Такого адреса нет. Возможно, ссылка устарела или в ней опечатка.</p>
      <Button asChild variant="primary">
        <Link href={paths.home}>На главную</Link>
      </Button>
    </main>
  );
}
