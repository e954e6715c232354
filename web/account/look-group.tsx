import { type ReactNode, useId } from "react";
import type { Language } from "#web/i18n/dictionary.ts";
import { PAGE_LANGUAGE, useLanguage } from "#web/i18n/language.ts";
import { type ThemeChoice, useTheme } from "#web/theme.ts";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";

export function LookGroup() {
  const { language, setLanguage, t } = useLanguage();
  const [theme, setTheme] = useTheme();
  const themes: Record<ThemeChoice, string> = {
    system: t("switch.theme.system"),
    light: t("switch.theme.light"),
    dark: t("switch.theme.dark"),
  };
  const languages: Record<Language, string> = { ru: "Русский", en: "English" };
  // English labels around Russian screens are a default that no user would choose, so no option is selected then.
  const mixed = language !== PAGE_LANGUAGE;
  return (
    <SettingsGroup id="look" title="Язык и тема" description="Хранится в этом браузере">
      <div className="flex flex-wrap gap-x-10 gap-y-5">
        <Choice title={t("switch.theme")} options={themes} value={theme} choose={setTheme} />
        <Choice
          title={t("switch.language")}
          inOwnLanguage
          options={languages}
          value={mixed ? null : language}
          choose={setLanguage}
          hint={mixed && t("switch.language.about")}
        />
      </div>
    </SettingsGroup>
  );
}

interface ChoiceProps<Value extends string> {
  title: string;
  options: Record<Value, string>;
  value: Value | null;
  choose: (value: Value) => void;
  hint?: ReactNode;
  inOwnLanguage?: boolean;
}

function Choice<Value extends string>({
  title,
  options,
  value,
  choose,
  hint,
  inOwnLanguage = false,
}: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="pb-2 font-medium text-md">{title}</legend>
      <div className="flex flex-wrap gap-2">
        {(Object.entries(options) as [Value, string][]).map(([option, label]) => (
          <label
            key={option}
            className="flex min-h-11 cursor-pointer items-center rounded-md border border-control bg-surface px-3 text-md has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={value === option}
              onChange={() => choose(option)}
              className="me-2 accent-primary"
            />
            <span lang={inOwnLanguage ? option : undefined}>{label}</span>
          </label>
        ))}
      </div>
      {hint && <p className="pt-2 text-sm text-subtle">{hint}</p>}
    </fieldset>
  );
}
