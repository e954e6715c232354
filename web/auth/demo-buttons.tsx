import { useEffect, useState } from "react";
import { DEMO_TOKEN, type TelegramLoginInput } from "#contract/organizations/auth.ts";
import { storeSignIn } from "#web/api/auth-token.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";

/** Payload of the specification's test login, which the server accepts as its demo user. */
const FAKE_LOGIN = {
  id: 123456789,
  first_name: "Test",
  last_name: "User",
  username: "testuser",
  photo_url: "",
} satisfies TelegramLoginInput;

const REDIRECT_DELAY_MS = 1000;

interface DemoButtonsProps {
  signIn: (payload: TelegramLoginInput) => void;
  busy: boolean;
}

/** The two debug buttons of demo mode; both lead into the demo workspace. */
export default function DemoButtons({ signIn, busy }: DemoButtonsProps) {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!leaving) return;
    // A new document verifies the stored token like any other start of the application.
    const timer = setTimeout(() => location.assign(paths.home), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [leaving]);

  function storeFakeSignIn() {
    storeSignIn(DEMO_TOKEN, { ...FAKE_LOGIN, fullName: "Test User", authMethod: "telegram" });
    setLeaving(true);
  }

  return (
    <div className="flex flex-col gap-1 text-center text-sm text-subtle">
      <Button className="w-full" disabled={busy || leaving} onClick={() => signIn(FAKE_LOGIN)}>
        Тестовый вход
      </Button>
      <p>Готовые двойники и&nbsp;переписка, без регистрации</p>
      <Button className="mt-2 w-full" disabled={busy} busy={leaving} onClick={storeFakeSignIn}>
        Войти с тестовым токеном
      </Button>
      <p>Для разработчиков: вход без сервера</p>
    </div>
  );
}
