import { Gauge, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { ENOUGH_TO_BE_SURE, type FidelityMeasure, MIN_TO_MEASURE } from "#contract/quality.ts";
import { formatNumber, formatRecent, formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { JobFailure } from "#web/ui/states/job-failure.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { MoreLetters } from "./more-letters.tsx";
import { missingFor } from "./portrait/portrait.ts";

interface FidelityCardProps {
  className?: string;
  twinId: string;
  measure: FidelityMeasure | null;
  /** What strangers read; null before it was measured. */
  strangers: FidelityMeasure | null;
  /** Number of the owner's messages that his style profile is based on. */
  messages: number;
  /** When the last measurement was abandoned (ISO 8601); null when it was completed. */
  failedAt: string | null;
  /** Whether the twin has a style profile, without which fidelity cannot be measured. */
  measurable: boolean;
  measuring: boolean;
  readOnly: boolean;
  onMeasure: () => void;
}

export function FidelityCard(props: FidelityCardProps) {
  const { className, twinId, measure, strangers, messages, failedAt, measurable, measuring, readOnly, onMeasure } =
    props;
  // Measuring the same messages again would give the same result.
  const futile = measure?.lacking && !measure.outdated;
  return (
    <Card aria-labelledby="fidelity" className={className}>
      <CardHeader
        lead
        id="fidelity"
        title="Похожесть на вас"
        action={measure?.lacking && <Badge>Ещё не измерена</Badge>}
        description={!measure?.lacking && "По вопросам из ваших последних разговоров, которых двойник не видел"}
      />
      <CardBody>
        {failedAt !== null && !measuring && (
          <div className="mb-4 overflow-hidden rounded-lg">
            <JobFailure
              title="Измерить похожесть не получилось."
              detail={measure === null ? "Чисел пока нет." : "Ниже прежние числа."}
              at={failedAt}
              busy={measuring}
              onRetry={readOnly ? undefined : onMeasure}
            />
          </div>
        )}
        {measuring && <LoadingStatus className="mb-4">Измеряем, обычно это меньше минуты...</LoadingStatus>}
        {measurable
          ? measure === null && !measuring && <NotMeasured readOnly={readOnly} onMeasure={onMeasure} />
          : measure === null && (
              <>
                <p className="max-w-measure text-base">{missingFor(0)}</p>
                <MoreLetters twinId={twinId} />
              </>
            )}
        {measure?.figures && <Figures measure={measure} figures={measure.figures} strangers={strangers} />}
        {measure?.lacking && <Lacking measure={measure} lacking={measure.lacking} messages={messages} />}
        {measure && (
          <div className="flex flex-wrap items-center gap-x-4">
            {measure.lacking && <MoreLetters twinId={twinId} />}
            <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-subtle">
              <span>
                {measure.lacking
                  ? `Проверяли переписку ${formatRecent(measure.measuredAt)}`
                  : `Измерено ${formatRecent(measure.measuredAt)}`}
              </span>
              {measure.outdated && <Badge tone="warning">Двойник с тех пор учился</Badge>}
            </p>
            {measurable && !futile && (
              <Button size="sm" className="mt-4" onClick={onMeasure} disabled={measuring || readOnly}>
                <RefreshCw aria-hidden className="icon" />
                Измерить заново
              </Button>
            )}
          </div>
        )}
      </CardBody>
    </Card>
  );
}

function NotMeasured({ readOnly, onMeasure }: Pick<FidelityCardProps, "readOnly" | "onMeasure">) {
  return (
    <>
      <p className="max-w-measure text-base">Похожесть ещё не измеряли. Это меньше минуты.</p>
      <Button variant="primary" className="mt-4" disabled={readOnly} onClick={onMeasure}>
        <Gauge aria-hidden className="icon" />
        Измерить похожесть
      </Button>
    </>
  );
}

type FiguresOfMeasure = NonNullable<FidelityMeasure["figures"]>;

interface FiguresProps {
  measure: FidelityMeasure;
  figures: FiguresOfMeasure;
  strangers: FidelityMeasure | null;
}

function Figures({ measure, figures, strangers }: FiguresProps) {
  const { value, low, high, ceiling, floor, copyRate, relevance } = figures;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="text-hero tabular-nums">{formatShare(value)}</span>
        <span className="text-md text-muted tabular-nums">
          скорее всего от {formatShare(low)} до {formatShare(high)}
        </span>
      </p>
      <p className="mt-1 max-w-measure text-md text-muted">
        Тем, кому вы уже отвечали. {measure.model ? `Отвечала модель ${measure.model}.` : "Отвечал двойник без модели."}
        {handedOverIn(measure)}
      </p>
      {strangers?.figures && <Strangers measure={strangers} figures={strangers.figures} />}
      {measure.rough && <Rough measure={measure} />}
      <Scale figures={figures} />
      <dl className="mt-6 grid gap-x-6 gap-y-4 text-md sm:grid-cols-2">
        <Fact name="Ваши собственные старые сообщения" value={formatShare(ceiling)}>
          Столько набрали бы вы сами: выше двойнику быть незачем.
        </Fact>
        <Fact name="Другие люди из ваших чатов" value={formatShare(floor)}>
          Столько набирает чужая манера.
        </Fact>
        <Fact name="Дословно повторяет вас" value={formatShare(copyRate)}>
          Ответы с восемью вашими словами подряд. Похожесть за счёт повторов ничего не стоит.
        </Fact>
        <Fact name="Отвечает на то, о чём спросили" value={formatShare(relevance)}>
          Насколько ответ ближе к вашему ответу на тот же вопрос, чем на другие; 50% — случайность.
        </Fact>
      </dl>
      <p className="mt-4 max-w-measure text-sm text-subtle">
        Сравнили {plural(measure.held, ["ответ", "ответа", "ответов"])} с вашими; манеру узнавали по{" "}
        {plural(measure.own, ["вашей реплике", "вашим репликам", "вашим репликам"])} и по{" "}
        {plural(measure.people, ["собеседнику", "собеседникам", "собеседникам"])}. Это проверка манеры, а не того, верны
        ли ответы.
      </p>
    </>
  );
}

function Strangers({
  measure,
  figures: { value, low, high },
}: {
  measure: FidelityMeasure;
  figures: FiguresOfMeasure;
}) {
  return (
    <p className="mt-3 max-w-measure text-md">
      <b className="font-semibold text-xl tabular-nums">{formatShare(value)}</b> тем, кто пишет впервые
      <span className="text-muted">
        {" "}
        (скорее всего от {formatShare(low)} до {formatShare(high)}): ваших писем другим людям двойник им
        не&nbsp;показывает.{handedOverIn(measure)}
      </span>
    </p>
  );
}

/** A sentence of its own, with a space before it. */
const handedOverIn = ({ handedOver = 0 }: FidelityMeasure): string =>
  handedOver === 0
    ? ""
    : ` Ещё ${plural(handedOver, ["сообщение", "сообщения", "сообщений"])} он оставил вам, в число они не входят.`;

function Rough({ measure: { own, held, people } }: { measure: FidelityMeasure }) {
  const enough = ENOUGH_TO_BE_SURE;
  const few = [
    people < enough.people &&
      `${plural(people, ["собеседник", "собеседника", "собеседников"])} из ${enough.people}, с кем сравнить вашу манеру`,
    held < enough.held && `${plural(held, ["ответ", "ответа", "ответов"])} из ${enough.held} в последних разговорах`,
    own < enough.own && `${plural(own, ["реплика", "реплики", "реплик"])} из ${enough.own}, чтобы узнать вашу манеру`,
  ].filter((one) => one !== false);
  return (
    <p className="mt-1 max-w-measure text-md text-muted">
      Это первая, грубая оценка, поэтому границы такие широкие. Пока есть {few.join("; ")}. Загрузите больше переписки,
      и оценка станет точнее.
    </p>
  );
}

function Scale({ figures: { value, low, high, ceiling, floor } }: { figures: FiguresOfMeasure }) {
  const at = (share: number) => `${Math.round(share * 1000) / 10}%`;
  return (
    <div aria-hidden className="mt-4 max-w-measure">
      <div className="relative h-2.5 rounded-full bg-hover">
        <div
          className="absolute inset-y-0 rounded-full bg-primary/35"
          style={{ left: at(low), width: at(Math.max(0.01, high - low)) }}
        />
        <div className="-inset-y-1 absolute w-1 -translate-x-1/2 rounded-full bg-primary" style={{ left: at(value) }} />
        <div className="absolute inset-y-0 w-px bg-fg/60" style={{ left: at(floor) }} />
        {/* Copper stands for the owner, patina for the twin. */}
        <div className="-inset-y-1 absolute w-1 -translate-x-1/2 rounded-full bg-echo" style={{ left: at(ceiling) }} />
      </div>
      <div className="mt-1.5 flex justify-between text-subtle text-xs">
        <span>чужая манера</span>
        <span className="text-echo-text">вы сами</span>
      </div>
    </div>
  );
}

function Fact({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex items-baseline justify-between gap-4">
        <span>{name}</span>
        <span className="font-medium tabular-nums">{value}</span>
      </dt>
      <dd className="mt-0.5 text-sm text-subtle">{children}</dd>
    </div>
  );
}

/** Data that the first figure requires, in units that the owner understands. */
const AIMS = {
  own: {
    unit: "ваших реплик, по которым узнаём манеру",
    why: "Это реплики, которых двойник не видел: по знакомым ему проверять нечестно. Сообщения подряд — одна реплика.",
  },
  held: {
    unit: "ваших ответов в последних разговорах",
    why: "С этими ответами сравниваем то, что на те же вопросы пишет двойник.",
  },
  people: {
    unit: `собеседников, написавших ${MIN_TO_MEASURE.ofAPerson} реплик и больше`,
    why: "Без них вашу манеру не с кем сравнить.",
  },
};

interface LackingProps {
  measure: FidelityMeasure;
  lacking: keyof typeof AIMS;
  messages: number;
}

function Lacking({ measure, lacking, messages }: LackingProps) {
  const { unit, why } = AIMS[lacking];
  const has = measure[lacking];
  const aim = MIN_TO_MEASURE[lacking];
  // Messages needed at the present rate, rounded up to tens. The number of people does not grow with messages.
  const more = lacking !== "people" && has > 0 ? Math.ceil((messages * (aim / has - 1)) / 10) * 10 : 0;
  // One unit, so that readers need not convert replies into messages.
  return (
    <>
      <p className="text-lg">
        {more > 0 ? (
          <>
            Нужно ещё около&nbsp;<b className="font-semibold tabular-nums">{formatNumber(more)}</b> ваших сообщений
          </>
        ) : (
          <>
            <b className="font-semibold tabular-nums">
              {formatNumber(has)} из {formatNumber(aim)}
            </b>{" "}
            {unit}
          </>
        )}
      </p>
      <Progress
        value={(more > 0 ? messages / (messages + more) : has / aim) * 100}
        label="До первого измерения"
        className="mt-3"
      />
      <p className="mt-2 max-w-measure text-md text-muted">
        {more > 0
          ? `Сейчас их ${formatNumber(messages)}. Измеряем по\u00a0тем, которых двойник не\u00a0видел.`
          : `${why} Загрузите ещё, и измерим после обучения.`}
      </p>
    </>
  );
}
