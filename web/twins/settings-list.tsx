import {
  ChevronRight,
  ClipboardCheck,
  Gauge,
  History,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestion,
  PenLine,
  SquareTerminal,
  Zap,
} from "lucide-react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { type RowState, useRowStates } from "./settings-states.ts";

const MANNER = "Как двойник пишет незнакомым: двенадцать ответов за три минуты";
const TOOLS = "Что двойник смотрит и делает в ваших системах: где заказ, есть ли на складе";

export function SettingsList({ twin }: { twin: Twin }) {
  const states = useRowStates(twin);
  return (
    <PaperSection id="twin-knowledge" title="Знания и качество">
      <ul className="divide-y border-t">
        <Row to={paths.twinQuality(twin.id)} icon={Gauge} name="Качество двойника" {...states.quality} />
        <Row to={paths.twinManner(twin.id)} icon={PenLine} name="Манера для всех" text={MANNER} />
        <Row to={paths.twinTools(twin.id)} icon={Zap} name="Действия" text={TOOLS} />
        <Row to={paths.twinFacts(twin.id)} icon={ListChecks} name="Факты из переписки" {...states.facts} />
        <Row to={paths.twinGaps(twin.id)} icon={MessageCircleQuestion} name="Пробелы" {...states.gaps} />
        <Row to={paths.twinExam(twin.id)} icon={ClipboardCheck} name="Экзамен двойника" {...states.exam} />
        <Row to={paths.twinCorrections(twin.id)} icon={History} name="Исправления и версии" {...states.corrections} />
        <Row to={paths.twinAccess(twin.id)} icon={SquareTerminal} name="Для специалистов" {...states.expert} />
      </ul>
    </PaperSection>
  );
}

interface RowProps extends RowState {
  to: string;
  icon: LucideIcon;
  name: string;
}

function Row({ to, icon: Icon, name, text, waiting }: RowProps) {
  return (
    <li className="relative flex min-h-14 items-center gap-3 py-2 hover:text-primary-text">
      <Icon aria-hidden className="icon text-muted" />
      <div className="min-w-0 flex-1">
        {/* The whole row is clickable; the link's accessible name is its title alone. */}
        <Link href={to} className="font-medium text-md after:absolute after:inset-0">
          {name}
        </Link>
        <p className="truncate text-muted text-sm max-sm:whitespace-normal">{text}</p>
      </div>
      {waiting && <Badge tone="warning">{waiting}</Badge>}
      <ChevronRight aria-hidden className="icon text-subtle" />
    </li>
  );
}
