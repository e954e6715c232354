import { ExternalLink, KeyRound } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import type { IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { platformForm, platformForms } from "../platforms.ts";

const StepPictures = lazy(() => import("./step-pictures.tsx"));
const QrCode = lazy(() => import("#web/ui/figures/qr-code.tsx"));

interface Place {
  label: string;
  href: string;
}

const BOT_FATHER = "https://t.me/BotFather";

/** Places to obtain keys for Telegram's two ways: a bot and a person's own account. */
const TELEGRAM_PLACES: readonly (readonly Place[])[] = [
  [{ label: "Открыть @BotFather", href: BOT_FATHER }],
  [{ label: "my.telegram.org", href: "https://my.telegram.org/apps" }],
];

/** The platforms' own pages that issue keys. */
const PLACES: Record<Exclude<IntegrationPlatform, "telegram">, readonly Place[]> = {
  whatsapp: [{ label: "Кабинет разработчика Meta", href: "https://developers.facebook.com/apps" }],
  email: [],
  slack: [{ label: "Приложения Slack", href: "https://api.slack.com/apps?new_app=1" }],
  max: [{ label: "MAX для бизнеса", href: "https://business.max.ru/self" }],
  discord: [{ label: "Discord Developer Portal", href: "https://discord.com/developers/applications" }],
  vk: [
    { label: "Мои сообщества", href: "https://vk.com/groups?tab=admin" },
    {
      label: "Справка ВКонтакте о ключе",
      href: "https://dev.vk.com/ru/api/access-token/community-token/in-community-settings",
    },
  ],
};

const STEPS = [
  "Выберите двойника и платформу.",
  "Получите ключ платформы: когда вы её выберете, здесь появится, где его взять, шаг за\u00a0шагом.",
  "Вставьте ключ и проверьте соединение.",
  "Создайте интеграцию: сначала двойник готовит только черновики, отправляете их вы.",
];

interface PlatformGuideProps {
  chosen: string;
  way: number;
}

/** The side panel: the steps for the chosen platform, all platforms with their requirements, and how keys are stored. */
export function PlatformGuide({ chosen, way }: PlatformGuideProps) {
  const id = useId();
  return (
    <PaperSection id={id} title="Платформы и инструкции">
      {chosen === "" ? (
        <Steps steps={STEPS} />
      ) : (
        // On a phone the steps are shown before the fields instead.
        <div className="max-xl:hidden">
          <PlatformSteps chosen={chosen} way={way} />
        </div>
      )}
      <ul className="mt-4 divide-y border-y">
        {platformForms.map(({ platform, takes }) => (
          <li key={platform} className="flex items-center gap-3 py-2">
            <PlatformIcon platform={platform} className="text-muted" />
            <p className="min-w-0 flex-1 text-md">
              {platformName(platform)} <span className="block text-muted text-sm">{takes}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-4 flex items-start gap-3 text-muted text-sm">
        <KeyRound aria-hidden className="icon shrink-0" />
        Все API ключи хранятся в зашифрованном виде и никому не показываются.
      </p>
    </PaperSection>
  );
}

export function PlatformSteps({ chosen, way }: PlatformGuideProps) {
  const form = platformForm(chosen);
  if (form === undefined) return null;
  const { platform, ways, steps: only } = form;
  const steps = ways?.[way]?.steps ?? only;
  const places = platform === "telegram" ? (TELEGRAM_PLACES[way] ?? []) : PLACES[platform];
  return (
    <div className="flex items-start gap-3">
      <PlatformTile platform={platform} />
      <div className="min-w-0">
        <h3 className="text-md">{platformName(platform)}</h3>
        {platform === "vk" || platform === "max" ? (
          <Suspense fallback={<Steps steps={steps} />}>
            <StepPictures platform={platform} steps={steps} />
          </Suspense>
        ) : (
          <Steps steps={steps} />
        )}
        {places.map(({ label, href }) => (
          <a
            key={href}
            href={href}
            target="_blank"
            rel="noreferrer"
            className="me-4 mt-2 inline-flex items-center gap-1.5 font-medium text-md text-primary-text underline"
          >
            {label}
            <ExternalLink aria-hidden className="icon" />
          </a>
        ))}
        {platform === "telegram" && way === 0 && <BotFatherCode />}
      </div>
    </div>
  );
}

function BotFatherCode() {
  return (
    <figure className="mt-4 flex items-center gap-4 max-xl:hidden">
      <div className="size-28 shrink-0">
        <Suspense>
          <QrCode text={BOT_FATHER} label="QR-код: открыть @BotFather на телефоне" className="size-28" />
        </Suspense>
      </div>
      <figcaption className="text-sm text-subtle">Наведите камеру телефона: @BotFather откроется в Telegram</figcaption>
    </figure>
  );
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="mt-1 grid list-decimal gap-2 ps-5 text-md">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
