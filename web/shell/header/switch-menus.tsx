import { Moon, Sun } from "lucide-react";
import { useLanguage } from "#web/i18n/language.ts";
import { createLazyMenu, HeaderMenu } from "./header-menu.tsx";

const languageMenu = createLazyMenu(() => import("./language-menu.tsx"), "menu");
const themeMenu = createLazyMenu(() => import("./theme-menu.tsx"), "menu");

export function SwitchMenus() {
  const { language, t } = useLanguage();
  return (
    <>
      <HeaderMenu of={languageMenu} label={`${t("switch.language")}: ${language}`} className="text-sm">
        {language.toUpperCase()}
      </HeaderMenu>
      <HeaderMenu of={themeMenu} label={t("switch.theme")}>
        <Sun aria-hidden className="icon dark:hidden" />
        <Moon aria-hidden className="icon hidden dark:block" />
      </HeaderMenu>
    </>
  );
}
