import { type ReactElement, useId } from "react";

// Drawings of the layouts of VK and MAX. They show where elements are and do not copy the platforms' design.

const WIDTH = 288;
const ROW = 22;
const TOP = 30;

interface Line {
  text: string;
  wanted?: boolean;
  /** State of a checkbox; absent for a line of a menu. */
  ticked?: boolean;
  state?: string;
}

interface Picture {
  title: string;
  lines: readonly Line[];
  button?: string;
}

type DrawnPlatform = "vk" | "max";

const VK: readonly Picture[] = [
  {
    title: "Чайная лавка",
    lines: [{ text: "Сообщения" }, { text: "Управление", wanted: true }, { text: "Реклама" }],
  },
  {
    title: "Управление",
    lines: [{ text: "Настройки" }, { text: "Сообщения" }, { text: "Работа с API", wanted: true }],
  },
  {
    title: "Создание ключа доступа",
    lines: [
      { text: "Доступ к управлению сообществом", ticked: true, wanted: true },
      { text: "Доступ к сообщениям сообщества", ticked: true, wanted: true },
      { text: "Доступ к фотографиям сообщества", ticked: false },
    ],
    button: "Создать",
  },
  {
    title: "Работа с API, «Ключи доступа»",
    lines: [{ text: "vk1.a.Xk29…", state: "Скопировать", wanted: true }],
  },
  {
    title: "Управление, «Сообщения»",
    lines: [
      { text: "Сообщения сообщества", state: "Включены", wanted: true },
      { text: "Возможности ботов", state: "Включены", wanted: true },
    ],
  },
  {
    title: "Работа с API, «Типы событий»",
    lines: [
      { text: "Входящие сообщения", ticked: true },
      { text: "Исходящие сообщения", ticked: true },
      { text: "Разрешение на получение", ticked: true },
      { text: "Запрет на получение", ticked: true },
    ],
  },
];

const MAX: readonly Picture[] = [
  { title: "MAX для бизнеса", lines: [{ text: "Чайная лавка", state: "Верифицирован", wanted: true }] },
  {
    title: "MAX для бизнеса",
    lines: [{ text: "Каналы" }, { text: "Чат-боты", wanted: true }, { text: "Мини-приложения" }],
    button: "Создать",
  },
  {
    title: "Чат-боты",
    lines: [
      { text: "Чайная лавка", state: "⋮", wanted: true },
      { text: "Настройки", wanted: true },
      { text: "Токен", state: "Скопировать", wanted: true },
    ],
  },
];

const PICTURES: Record<DrawnPlatform, readonly Picture[]> = { vk: VK, max: MAX };

/** The steps to a key, each with a drawing of the place. */
export default function StepPictures({ platform, steps }: { platform: DrawnPlatform; steps: readonly string[] }) {
  const pictures = PICTURES[platform];
  return (
    <ol className="mt-1 grid list-decimal gap-4 ps-5 text-md">
      {steps.map((step, index) => (
        <li key={step}>
          {step}
          {pictures[index] && <Drawing {...pictures[index]} />}
        </li>
      ))}
    </ol>
  );
}

function Drawing({ title, lines, button }: Picture): ReactElement {
  const id = useId();
  const height = TOP + lines.length * ROW + (button === undefined ? 8 : 40);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-labelledby={id}
      width={WIDTH}
      className="mt-2 max-w-full"
      fontSize="11.5"
      fill="var(--fg)"
    >
      <title id={id}>{`Рисунок: ${title}. ${lines.map(inWords).join(", ")}`}</title>
      <rect x="0.5" y="0.5" width={WIDTH - 1} height={height - 1} rx="8" fill="var(--surface)" stroke="var(--border)" />
      <path d={`M0.5 24.500H${WIDTH - 0.5}`} stroke="var(--border)" />
      <text x="12" y="16.5" fontWeight="600">
        {title}
      </text>
      {lines.map((line, index) => (
        <Row key={line.text} {...line} y={TOP + index * ROW} />
      ))}
      {button !== undefined && (
        <>
          <rect x="12" y={height - 33} width="68" height="24" rx="6" fill="var(--primary)" />
          <text x="46" y={height - 17} textAnchor="middle" fontWeight="600" fill="var(--on-primary)">
            {button}
          </text>
        </>
      )}
    </svg>
  );
}

function Row({ text, wanted = false, ticked, state, y }: Line & { y: number }) {
  const ink = wanted ? "var(--primary-text)" : "var(--muted)";
  const weight = wanted ? "600" : "400";
  return (
    <g fill={ink} fontWeight={weight}>
      {wanted && <rect x="6" y={y} width={WIDTH - 12} height={ROW - 2} rx="5" fill="var(--primary-soft)" />}
      {ticked !== undefined && (
        <rect
          x="12"
          y={y + 4}
          width="12"
          height="12"
          rx="3"
          fill={ticked ? "var(--primary)" : "none"}
          stroke={ticked ? "var(--primary)" : "var(--control)"}
        />
      )}
      {ticked === true && (
        <path d={`m14.5 ${y + 10} 2.5 2.5 4.5-5`} fill="none" stroke="var(--on-primary)" strokeWidth="1.6" />
      )}
      <text x={ticked === undefined ? 12 : 32} y={y + 14}>
        {text}
      </text>
      {state !== undefined && (
        <text x={WIDTH - 14} y={y + 14} textAnchor="end">
          {state}
        </text>
      )}
    </g>
  );
}

const inWords = ({ text, ticked, state }: Line): string =>
  ticked === undefined ? [text, state].filter(Boolean).join(": ") : `${text}: ${ticked ? "отмечено" : "не отмечено"}`;
