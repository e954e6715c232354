import { useState } from "react";
import { paths } from "#web/paths.ts";
import { CheckingSession } from "#web/session/guard.tsx";
import { useSession } from "#web/session/session.tsx";
import { AuthFrame } from "#web/shell/public/auth-frame.tsx";
import { MarkDisc } from "#web/shell/public/mark-disc.tsx";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { AuthLink } from "./auth-link.tsx";
import { FeatureCards } from "./feature-cards.tsx";
import { ReturnHome } from "./return-home.tsx";
import { SignInWays } from "./sign-in-ways.tsx";

export default function LoginPage() {
  const { state } = useSession();
  const [typing, setTyping] = useState(false);
  if (state.status === "loading") return <CheckingSession />;
  if (state.status === "authenticated") return <ReturnHome />;
  return (
    <AuthFrame markOnly>
      <div className="mx-auto grid w-full max-w-content flex-1 grid-cols-1 content-center items-center gap-8 lg:grid-cols-2">
        <div className="relative flex min-h-[32rem] flex-col justify-center gap-6 max-lg:contents lg:text-on-primary dark:text-fg">
          {/* The product's logo, with its name in the disc. In a narrow column it makes room for the ring, which stands out to the left. */}
          <MarkDisc className="absolute top-1/2 left-1/2 hidden w-[95%] max-w-lg -translate-1/2 lg:block" />
          <div className="relative mx-auto max-w-80 text-center">
            <ScreenHeading title="Вход" className="text-2xl">
              Цифровые двойники
            </ScreenHeading>
            <p className="mt-1.5 text-md max-lg:text-muted">
              ИИ-двойник учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает вашими словами
            </p>
          </div>
          <FeatureCards />
        </div>
        <Card aria-labelledby="sign-in" className="mx-auto w-full max-w-md p-1 lg:me-0">
          <CardHeader id="sign-in" lead title="Войти в систему" description="Выберите способ авторизации" />
          <CardBody className="mt-2">
            <SignInWays typing={typing} onTyping={setTyping}>
              <p className="text-center">
                <AuthLink to={paths.register}>Нет аккаунта? Зарегистрироваться</AuthLink>
              </p>
            </SignInWays>
          </CardBody>
        </Card>
      </div>
    </AuthFrame>
  );
}
