import type { Language } from "#web/i18n/dictionary.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { Button } from "#web/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#web/ui/dropdown-menu.tsx";

const choices = [
  { value: "ru", label: "Русский" },
  { value: "en", label: "English" },
] as const;

export function LanguageMenu() {
  const { language, t } = useLanguage();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" className="text-sm" aria-label={`${t("switch.language")}: ${language}`}>
          {language.toUpperCase()}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <LanguageItems />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function LanguageItems() {
  const { language, setLanguage, t } = useLanguage();
  return (
    <>
      <DropdownMenuLabel>{t("switch.language")}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={language} onValueChange={(value) => setLanguage(value as Language)}>
        {choices.map(({ value, label }) => (
          <DropdownMenuRadioItem key={value} value={value} lang={value}>
            {label}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </>
  );
}
