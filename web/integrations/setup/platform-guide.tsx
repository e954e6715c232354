import { KeyRound } from "lucide-react";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { platformForms } from "../platforms.ts";

/** Beside the form: what can be connected and where its keys come from. */
export function PlatformGuide() {
  return (
    <Card aria-labelledby="platform-guide">
      <CardHeader id="platform-guide" title="Платформы и инструкции" />
      <CardBody className="flex flex-col gap-5">
        <ul className="flex flex-col gap-4">
          {platformForms.map(({ platform, steps }) => (
            <li key={platform} className="flex items-start gap-3">
              <PlatformIcon platform={platform} className="mt-0.5 text-muted" />
              <div className="min-w-0">
                <h3 className="text-md">{platformName(platform)}</h3>
                {steps.map((step) => (
                  <p key={step} className="mt-1 text-muted text-sm">
                    {step}
                  </p>
                ))}
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
