import { Monitor, Moon, Sun } from "lucide-react";
import { useLanguage } from "#web/i18n/language.ts";
import { type ThemeChoice, useTheme } from "#web/theme.ts";
import { Button } from "#web/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#web/ui/dropdown-menu.tsx";

export const themeChoices = [
  { value: "system", label: "switch.theme.system", icon: Monitor },
  { value: "light", label: "switch.theme.light", icon: Sun },
  { value: "dark", label: "switch.theme.dark", icon: Moon },
] as const;

export function ThemeMenu() {
  const { t } = useLanguage();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("switch.theme")}>
          <Sun aria-hidden className="icon dark:hidden" />
          <Moon aria-hidden className="icon hidden dark:block" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <ThemeItems />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The choices as items of a menu; the header's own menu and the person's menu on a phone share them. */
export function ThemeItems() {
  const [theme, setTheme] = useTheme();
  const { t } = useLanguage();
  return (
    <>
      <DropdownMenuLabel>{t("switch.theme")}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as ThemeChoice)}>
        {themeChoices.map(({ value, label, icon: Icon }) => (
          <DropdownMenuRadioItem key={value} value={value}>
            <Icon aria-hidden className="icon text-muted" />
            {t(label)}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </>
  );
}
