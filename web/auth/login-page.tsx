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
      <div className="mx-auto grid w-full max-w-content grid-cols-1 items-start gap-x-20 gap-y-8 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:pt-8">
        <div>
          <ScreenHeading title="Вход" className="text-hero">
            Цифровые двойники
          </ScreenHeading>
          <p className="mt-4 max-w-[34rem] text-lg text-muted">
            ИИ-двойник учится на&nbsp;ваших документах и&nbsp;переписке и&nbsp;отвечает вашими словами
          </p>
        </div>
        <Card aria-labelledby="sign-in" className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <CardHeader id="sign-in" title="Войти в систему" description="Выберите способ авторизации" />
          <CardBody>
            <SignInWays />
            <p className="mt-4 text-center">
              <AuthLink to={paths.register}>Нет аккаунта? Зарегистрироваться</AuthLink>
            </p>
          </CardBody>
        </Card>
        <FeatureCards />
      </div>
    </AuthFrame>
  );
}
