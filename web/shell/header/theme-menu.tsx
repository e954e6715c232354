import { Monitor, Moon, Sun } from "lucide-react";
import { useLanguage } from "#web/i18n/language.ts";
import { type ThemeChoice, useTheme } from "#web/theme.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#web/ui/overlays/dropdown-menu.tsx";
import type { HeaderMenuProps } from "./header-menu.tsx";

const choices = [
  { value: "system", label: "switch.theme.system", icon: Monitor },
  { value: "light", label: "switch.theme.light", icon: Sun },
  { value: "dark", label: "switch.theme.dark", icon: Moon },
] as const;

export default function ThemeMenu({ trigger }: HeaderMenuProps) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
        <ThemeItems />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Themes as menu items, which a phone shows in the user's menu. */
export function ThemeItems() {
  const [theme, setTheme] = useTheme();
  const { t } = useLanguage();
  return (
    <>
      <DropdownMenuLabel>{t("switch.theme")}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as ThemeChoice)}>
        {choices.map(({ value, label, icon: Icon }) => (
          <DropdownMenuRadioItem key={value} value={value}>
            <Icon aria-hidden className="icon text-muted" />
            {t(label)}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </>
  );
}
