import { clsx } from "clsx";
import { useId } from "react";
import { Link } from "wouter";
import { CRM_NAMES, type CrmSystem, crmApi } from "#contract/integrations/crm.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly, useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";

interface System {
  id: string;
  name: string;
  about: string;
  /** A system that one signs in to right here. */
  signsIn?: CrmSystem;
}

const systems: readonly System[] = [
  { id: "amocrm", name: CRM_NAMES.amocrm, about: "Контакт и сделка на каждый отвеченный диалог", signsIn: "amocrm" },
  {
    id: "bitrix24",
    name: CRM_NAMES.bitrix24,
    about: "Контакт и сделка на каждый отвеченный диалог",
    signsIn: "bitrix24",
  },
  { id: "salesforce", name: "Salesforce", about: "Корпоративная CRM" },
  { id: "hubspot", name: "HubSpot", about: "Маркетинг и продажи" },
  { id: "pipedrive", name: "Pipedrive", about: "Воронки продаж" },
  { id: "postgresql", name: "PostgreSQL", about: "База данных" },
];

interface AvailableSystemsProps {
  onSignIn: (system: CrmSystem) => void;
}

export function AvailableSystems({ onSignIn }: AvailableSystemsProps) {
  const id = useId();
  return (
    <PaperSection id={id} title={<span lang="en">Available Integrations</span>} description="Что можно подключить">
      <ul className="grid grid-cols-1 gap-x-10 border-t sm:grid-cols-2">
        {systems.map(({ id: system, name, about, signsIn }) => (
          <li key={name} className="flex items-center gap-4 border-b py-3">
            <PlatformTile platform={system} muted={signsIn === undefined} />
            <div className="min-w-0 flex-1">
              {/* What one cannot sign in to here recedes. */}
              <h3 id={`${id}-${name}`} className={clsx("truncate text-md", signsIn === undefined && "text-muted")}>
                {name}
              </h3>
              <p className="text-muted text-sm">{about}</p>
            </div>
            <Connect describedBy={`${id}-${name}`} signsIn={signsIn} onSignIn={onSignIn} />
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted text-sm">
        Salesforce, HubSpot, Pipedrive и&nbsp;PostgreSQL пока подключаются только через вебхуки двойника.
      </p>
    </PaperSection>
  );
}

interface ConnectProps extends Pick<AvailableSystemsProps, "onSignIn"> {
  describedBy: string;
  signsIn: CrmSystem | undefined;
}

/** The link that each system of the grid has; where one can sign in, it does so in place. */
function Connect({ describedBy, signsIn, onSignIn }: ConnectProps) {
  const readOnly = useReadOnly();
  const mayNotSignIn = useWhyNot(crmApi.signIn);
  return (
    <Button asChild size="sm" whyNot={readOnly ?? (signsIn ? mayNotSignIn : null)} aria-describedby={describedBy}>
      <Link
        href={paths.addIntegration}
        onClick={(event) => {
          if (signsIn === undefined) return;
          event.preventDefault();
          onSignIn(signsIn);
        }}
      >
        Подключить
      </Link>
    </Button>
  );
}
