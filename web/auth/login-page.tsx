import { paths } from "#web/paths.ts";
import { CheckingSession } from "#web/session/guard.tsx";
import { useSession } from "#web/session/session.tsx";
import { AuthFrame } from "#web/shell/public/auth-frame.tsx";
import { ScreenHeading } from "#web/shell/screen-heading.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { AuthLink } from "./auth-link.tsx";
import { FeatureCards } from "./feature-cards.tsx";
import { ReturnHome } from "./return-home.tsx";
import { SignInWays } from "./sign-in-ways.tsx";

export default function LoginPage() {
  const { state } = useSession();
  if (state.status === "loading") return <CheckingSession />;
  if (state.status === "authenticated") return <ReturnHome />;
  return (
    <AuthFrame markOnly>
      <div className="mx-auto grid w-full max-w-content grid-cols-1 items-start gap-8 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:pt-8">
        <div className="max-lg:text-center">
          <ScreenHeading title="Вход" className="text-2xl">
            Цифровые двойники
          </ScreenHeading>
          <p className="mt-1.5 max-w-prose text-md text-muted max-lg:mx-auto">
            ИИ-двойник учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает вашими словами
          </p>
        </div>
        <Card aria-labelledby="sign-in" className="mx-auto w-full max-w-md lg:me-0 lg:row-span-2">
          <CardHeader id="sign-in" title="Войти в систему" description="Выберите способ авторизации" />
          <CardBody>
            <SignInWays>
              <p className="text-center">
                <AuthLink to={paths.register}>Нет аккаунта? Зарегистрироваться</AuthLink>
              </p>
            </SignInWays>
          </CardBody>
        </Card>
        <FeatureCards />
      </div>
    </AuthFrame>
  );
}
