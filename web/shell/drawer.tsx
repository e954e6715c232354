import { Building2, LogOut, MessageSquarePlus, Search, Settings, ShieldCheck, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useLanguage } from "#web/i18n/language.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Brand } from "#web/ui/brand-mark.tsx";
import { Button } from "#web/ui/button.tsx";
import { Sheet, SheetContent } from "#web/ui/overlays/sheet.tsx";
import { closeFloating, openPalette } from "./floating-state.ts";
import { PlanCard, UserCard } from "./plan-card.tsx";
import { SectionLink } from "./section-link.tsx";
import { type Section, sections } from "./sections.ts";

const administration: readonly Section[] = [
  { path: paths.admin, also: ["/admin-dashboard"], label: "nav.settings", icon: Settings },
  { path: paths.orgAdmin, also: ["/org-admin-dashboard"], label: "nav.organization", icon: Building2 },
  { path: paths.account, also: [], label: "nav.account", icon: ShieldCheck },
];

const quickActions: readonly Section[] = [
  { path: paths.createTwin, also: [], label: "nav.createTwin", icon: UserPlus },
  { path: `${paths.conversations}?new=1`, also: [], label: "nav.newConversation", icon: MessageSquarePlus },
];

export default function Drawer() {
  const { t } = useLanguage();
  const { logout } = useSession();
  const readOnly = useReadOnly();
  const main = sections.filter((section) => section.path !== paths.admin);
  return (
    <Sheet open onOpenChange={(open) => !open && closeFloating()}>
      <SheetContent title="Меню" hideTitle heading={<Brand />}>
        <nav aria-label="Меню" className="flex flex-1 flex-col gap-4 px-3 pb-4">
          <Button className="justify-start! font-normal text-muted" onClick={openPalette}>
            <Search aria-hidden className="icon" />
            <span lang="ru">Поиск...</span>
          </Button>
          <Group links={main} />
          <Group links={administration} title={t("nav.group.administration")} />
          {readOnly === null && <Group links={quickActions} title={t("nav.group.quick")} />}
        </nav>
        <div className="flex flex-col gap-3 border-t p-3">
          <PlanCard />
          <div className="flex items-center justify-between gap-2">
            <UserCard />
            <Button variant="ghost" size="icon" aria-label="Выйти" onClick={() => void logout()}>
              <LogOut aria-hidden className="icon" />
            </Button>
          </div>
        </div>
      </SheetContent>
    </Sheet>
  );
}

function Group({ links, title }: { links: readonly Section[]; title?: ReactNode }) {
  return (
    <div>
      {title && <h2 className="px-3 pb-1 font-medium text-sm text-subtle">{title}</h2>}
      <ul className="flex flex-col gap-0.5">
        {links.map((section) => (
          <li key={section.path}>
            <SectionLink section={section} onFollow={closeFloating} />
          </li>
        ))}
      </ul>
    </div>
  );
}
