import { Building2, LogOut, MailCheck, Settings, UserRound } from "lucide-react";
import { useLocation } from "wouter";
import { useLanguage } from "#web/i18n/language.ts";
import { paths } from "#web/paths.ts";
import { personName, useSession } from "#web/session/session.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#web/ui/overlays/dropdown-menu.tsx";
import type { HeaderMenuProps } from "./header-menu.tsx";
import { LanguageItems } from "./language-menu.tsx";
import { OrganizationItems } from "./organization-items.tsx";
import { ThemeItems } from "./theme-menu.tsx";

/** Menu of the signed-in user with the sign-out command; on a phone also with theme and language. */
export default function UserMenu({ trigger }: HeaderMenuProps) {
  const { user, logout } = useSession();
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const name = personName(user);
  const contact = user?.email ?? (user?.telegramUsername ? `@${user.telegramUsername}` : null);
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent className="w-64">
        <div className="px-2.5 py-1.5">
          <p className="truncate font-medium text-md">{name}</p>
          {contact && contact !== name && <p className="truncate text-sm text-subtle">{contact}</p>}
        </div>
        <DropdownMenuSeparator />
        <div className="md:hidden">
          <ThemeItems />
          <LanguageItems />
          <DropdownMenuSeparator />
        </div>
        {user?.email && !user.emailConfirmed && (
          <DropdownMenuItem onSelect={() => navigate(paths.confirmEmail)}>
            <MailCheck aria-hidden className="icon text-muted" />
            Подтвердить email
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => navigate(paths.account)}>
          <UserRound aria-hidden className="icon text-muted" />
          {t("nav.account")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => navigate(paths.settings)}>
          <Settings aria-hidden className="icon text-muted" />
          Ваши настройки
        </DropdownMenuItem>
        <OrganizationItems />
        <DropdownMenuItem onSelect={() => navigate(paths.orgAdmin)}>
          <Building2 aria-hidden className="icon text-muted" />
          {t("nav.organization")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void logout()}>
          <LogOut aria-hidden className="icon text-muted" />
          Выйти
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
