import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  Building2,
  Compass,
  Cpu,
  FileUp,
  Globe,
  GraduationCap,
  LogOut,
  type LucideIcon,
  MessageSquarePlus,
  MessagesSquare,
  Monitor,
  Moon,
  PlugZap,
  Search,
  Send,
  Sun,
  User,
  UserPlus,
  Zap,
} from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import { useState } from "react";
import { useLocation } from "wouter";
import { queryOf } from "#web/api/query.ts";
import { dictionary, type Key } from "#web/i18n/dictionary.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { twinList } from "#web/parts/twins/read-twin.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { setTheme } from "#web/theme.ts";
import { Overlay } from "#web/ui/overlays/dialog.tsx";
import { useFocusReturn } from "#web/ui/overlays/focus-return.ts";
import { closeFloating } from "../floating-state.ts";
import { sections } from "../sections.ts";
import { FOUND, FoundItems, Offers, useFound } from "./found-items.tsx";
import { swapLayout } from "./keyboard-layout.ts";
import { PaletteItem } from "./palette-item.tsx";
import { PaletteSuggestions } from "./palette-suggestions.tsx";

/** Command palette: sections, actions, twins, and the server's search results. A query typed in the wrong keyboard layout also matches. */
export default function Palette() {
  const [, navigate] = useLocation();
  const { t } = useLanguage();
  const { logout } = useSession();
  const readOnly = useReadOnly();
  const focus = useFocusReturn();
  const twins = useQuery(queryOf(twinList));
  const [typed, setTyped] = useState("");
  const { found, looking, failed } = useFound(typed);

  // A user who types the action's name finds it among the other actions.
  const mayCreate = readOnly === null && scoreOf(t("nav.createTwin"), typed, inBoth("nav.createTwin")) === 0;

  const run = (act: () => void) => () => {
    closeFloating();
    act();
  };
  const go = (path: string) => run(() => navigate(path));

  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && closeFloating()}>
      <RadixDialog.Portal>
        <Overlay />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed top-[max(8dvh,var(--toast-room,0px))] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 animate-pop-in overflow-hidden rounded-lg border bg-surface shadow-3 focus:outline-none"
        >
          <RadixDialog.Title className="sr-only">Поиск по разделам и действиям</RadixDialog.Title>
          <Command
            label="Поиск по разделам и действиям"
            loop
            filter={(value, search, keywords) => (value.startsWith(FOUND) ? 1 : scoreOf(value, search, keywords))}
          >
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="icon text-muted" />
              <Command.Input
                placeholder="Поиск..."
                value={typed}
                onValueChange={setTyped}
                maxLength={200}
                className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
              />
            </div>
            <Command.List
              label="Найденное"
              className="max-h-[min(28rem,70dvh)] overflow-y-auto overscroll-contain p-2 pb-8 [mask-image:linear-gradient(#000_calc(100%-2rem),#0000)] [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-subtle"
            >
              <Command.Empty className="py-8 text-center text-md text-muted">
                {looking ? "Ищем..." : "Ничего не найдено"}
              </Command.Empty>
              {failed && (
                <p role="alert" className="px-2.5 py-2 text-danger-text text-sm">
                  Не удалось поискать среди собеседников, сообщений, документов и фактов. Измените запрос, чтобы
                  повторить.
                </p>
              )}
              {typed === "" && <PaletteSuggestions go={go} />}
              {readOnly === null && (
                <Command.Group heading={t("nav.group.quick")}>
                  <Item
                    icon={MessageSquarePlus}
                    label={t("nav.newConversation")}
                    keywords={inBoth("nav.newConversation")}
                    onSelect={go(`${paths.conversations}?new`)}
                  />
                  <Item
                    icon={UserPlus}
                    label={t("nav.createTwin")}
                    keywords={inBoth("nav.createTwin")}
                    onSelect={go(paths.createTwin)}
                  />
                  {/* Not all twins are listed, because users do not browse them; the rest are found by typing. */}
                  {typed !== "" && (
                    <>
                      <Item icon={PlugZap} label="Добавить интеграцию" onSelect={go(paths.addIntegration)} />
                      <Item
                        icon={Send}
                        label="Подключить Telegram"
                        keywords={["телеграм", "бот"]}
                        onSelect={go(`${paths.addIntegration}?platform=telegram`)}
                      />
                      <Item icon={Globe} label="Прочитать свой сайт" onSelect={go(`${paths.knowledge}?tab=sites`)} />
                      <Item icon={FileUp} label="Загрузить документ" onSelect={go(paths.trainAi)} />
                      <Item
                        icon={MessagesSquare}
                        label="Загрузить переписку"
                        keywords={["импорт", "выгрузка"]}
                        onSelect={go(`${paths.trainAi}?tab=dialogues`)}
                      />
                      <Item icon={Compass} label="Создать двойника по шагам" onSelect={go(paths.onboarding)} />
                    </>
                  )}
                </Command.Group>
              )}
              <Command.Group heading={t("nav.group.main")}>
                {sections.map((section) => (
                  <Item
                    key={section.path}
                    icon={section.icon}
                    label={t(section.label)}
                    keywords={inBoth(section.label, section.about)}
                    onSelect={go(section.path)}
                  />
                ))}
                <Item icon={GraduationCap} label="Обучение ИИ" onSelect={go(paths.trainAi)} />
                <Item icon={Cpu} label="Модель" onSelect={go(paths.model)} />
                <Item icon={Building2} label={t("nav.organization")} onSelect={go(paths.orgAdmin)} />
              </Command.Group>
              {(twins.data?.length ?? 0) > 0 && (
                <Command.Group heading={t("nav.twins")}>
                  {twins.data?.map((twin) => (
                    <Item
                      key={twin.id}
                      icon={User}
                      label={twin.name}
                      value={`${twin.name} ${twin.id}`}
                      onSelect={go(paths.twinSettings(twin.id))}
                    />
                  ))}
                  {typed !== "" &&
                    twins.data?.map((twin) => (
                      <Item
                        key={twin.id}
                        icon={Zap}
                        label={`Действия: ${twin.name}`}
                        // Not by the twin's name, which is typed to find the twin itself.
                        value={`Действия ${twin.id}`}
                        keywords={["заказ", "таблица", "запрос"]}
                        onSelect={go(paths.twinTools(twin.id))}
                      />
                    ))}
                </Command.Group>
              )}
              {found && <FoundItems found={found} typed={typed} go={go} />}
              {found && !looking && <Offers found={found} typed={typed} mayCreate={mayCreate} go={go} />}
              <Command.Group heading={t("switch.theme")}>
                <Item icon={Monitor} label={t("switch.theme.system")} onSelect={run(() => setTheme("system"))} />
                <Item icon={Sun} label={t("switch.theme.light")} onSelect={run(() => setTheme("light"))} />
                <Item icon={Moon} label={t("switch.theme.dark")} onSelect={run(() => setTheme("dark"))} />
                <Item icon={LogOut} label="Выйти" onSelect={run(() => void logout())} />
              </Command.Group>
            </Command.List>
            <p className="border-t px-4 py-1.5 text-muted text-sm max-lg:hidden">
              <kbd>↑</kbd> и&nbsp;<kbd>↓</kbd> ведут по&nbsp;списку, <kbd>Enter</kbd> открывает, <kbd>Esc</kbd>{" "}
              закрывает
            </p>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Typed beginnings of words match entries that contain all of them; letters scattered over a word do not match. */
function scoreOf(value: string, search: string, keywords: string[] = []): number {
  const words = wordsOf([value, ...keywords].join(" "));
  const begins = (typed: string) => {
    const parts = wordsOf(typed);
    return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)));
  };
  return begins(search) || begins(swapLayout(search)) ? 1 : 0;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Search keywords in both languages, so that «Диалоги» is found in the English interface too. */
const inBoth = (...keys: (Key | undefined)[]) =>
  keys.flatMap((key) => (key ? [dictionary.ru[key], dictionary.en[key]] : []));

interface ItemProps {
  icon: LucideIcon;
  label: string;
  value?: string;
  keywords?: string[];
  onSelect: () => void;
}

const Item = ({ value, ...props }: ItemProps) => <PaletteItem value={value ?? props.label} {...props} />;
