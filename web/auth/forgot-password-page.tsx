import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Brand } from "#web/ui/brand-mark.tsx";
import { Button } from "#web/ui/button.tsx";

export default function ForgotPasswordPage() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 p-6 text-center">
      <Brand />
      <ScreenHeading title="Восстановление пароля" className="text-2xl" />
      <p className="text-muted">Этот раздел ещё не готов. Он появится в одной из следующих версий.</p>
      <Button asChild>
        <Link href={paths.login}>Войти</Link>
      </Button>
    </main>
  );
}
