import type { Language } from "#web/i18n/dictionary.ts";
import { PAGE_LANGUAGE, useLanguage } from "#web/i18n/language.ts";
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
  { value: "ru", label: "Русский" },
  { value: "en", label: "English" },
] as const;

export default function LanguageMenu({ trigger }: HeaderMenuProps) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
        <LanguageItems />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function LanguageItems() {
  const { language, setLanguage, t } = useLanguage();
  // English labels around Russian screens are a default that no user would choose, so no option is selected then.
  const mixed = language !== PAGE_LANGUAGE;
  return (
    <>
      <DropdownMenuLabel>{t("switch.language")}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={mixed ? "" : language} onValueChange={(value) => setLanguage(value as Language)}>
        {choices.map(({ value, label }) => (
          <DropdownMenuRadioItem key={value} value={value} lang={value}>
            {label}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      {mixed && <p className="max-w-60 px-2.5 pt-1 pb-2 text-sm text-subtle">{t("switch.language.about")}</p>}
    </>
  );
}
