import { ExternalLink, KeyRound } from "lucide-react";
import { lazy, Suspense } from "react";
import type { IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { platformForms } from "../platforms.ts";

const VkPictures = lazy(() => import("./vk-pictures.tsx"));
const QrCode = lazy(() => import("#web/ui/figures/qr-code.tsx"));

/** Where the keys are given out: the platforms' own pages. */
const PLACES: Record<IntegrationPlatform, readonly { label: string; href: string }[]> = {
  telegram: [
    { label: "Открыть @BotFather", href: "https://t.me/BotFather" },
    { label: "my.telegram.org", href: "https://my.telegram.org/apps" },
  ],
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

/** Beside the form: the steps of the platform that is chosen, or of all, and where its keys come from. */
export function PlatformGuide({ chosen }: { chosen: string }) {
  const shown = platformForms.filter(({ platform }) => chosen === "" || platform === chosen);
  return (
    <Card aria-labelledby="platform-guide">
      <CardHeader id="platform-guide" title="Платформы и инструкции" />
      <CardBody className="flex flex-col gap-5">
        <ul className="flex flex-col gap-4">
          {shown.map(({ platform, steps }) => (
            <li key={platform} className="flex items-start gap-3">
              <PlatformIcon platform={platform} className="mt-0.5 text-muted" />
              <div className="min-w-0">
                <h3 className="text-md">{platformName(platform)}</h3>
                {platform === "vk" && chosen === platform ? (
                  <Suspense fallback={<Steps steps={steps} />}>
                    <VkPictures steps={steps} />
                  </Suspense>
                ) : (
                  <Steps steps={steps} />
                )}
                {PLACES[platform].map(({ label, href }) => (
                  <a
                    key={href}
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    className="me-4 mt-2 inline-flex items-center gap-1.5 font-medium text-primary-text text-sm underline"
                  >
                    {label}
                    <ExternalLink aria-hidden className="icon" />
                  </a>
                ))}
                {platform === "telegram" && chosen === platform && (
                  <figure className="mt-4 flex items-center gap-4 max-lg:hidden">
                    <div className="size-28 shrink-0">
                      <Suspense>
                        <QrCode
                          text={PLACES.telegram[0]!.href}
                          label="QR-код: открыть @BotFather на телефоне"
                          className="size-28"
                        />
                      </Suspense>
                    </div>
                    <figcaption className="text-sm text-subtle">
                      Наведите камеру телефона: @BotFather откроется в Telegram
                    </figcaption>
                  </figure>
                )}
              </div>
            </li>
          ))}
        </ul>
        <p className="flex items-start gap-3 rounded-md bg-primary-soft px-3 py-2.5 text-primary-text text-sm">
          <KeyRound aria-hidden className="icon shrink-0" />
          Все API ключи хранятся в зашифрованном виде и никому не показываются.
        </p>
      </CardBody>
    </Card>
  );
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="mt-1 grid list-decimal gap-1 ps-4 text-muted text-sm">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
