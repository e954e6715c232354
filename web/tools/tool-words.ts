import type { ActFigures } from "#contract/actions/acts.ts";
import type { ToolKindName } from "#contract/actions/tool-settings.ts";
import type { ToolDegree } from "#contract/actions/tools.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

export const degrees: Record<ToolDegree, { name: string; about: string }> = {
  itself: {
    name: "Сам",
    about: "Двойник смотрит сразу и отвечает собеседнику. Годится для того, что только читает.",
  },
  asks: {
    name: "Спрашивает вас",
    about: "Каждый вызов ждёт вас карточкой в «Ждут одобрения». Собеседник узнает итог, когда вы нажмёте «Выполнить».",
  },
  never: {
    name: "Никогда",
    about: "Двойник не знает об этом действии. Его можно только проверять здесь.",
  },
};

/** The ways to call a tool of the kind: a question is never answered without its owner. */
export const degreesOf = (kind: ToolKindName): [ToolDegree, (typeof degrees)[ToolDegree]][] =>
  kind === "question"
    ? [
        ["asks", { ...degrees.asks, about: ASKS_QUESTION }],
        ["never", degrees.never],
      ]
    : [
        ["itself", degrees.itself],
        ["asks", degrees.asks],
        ["never", degrees.never],
      ];

const ASKS_QUESTION =
  "Каждый вопрос ждёт вас карточкой в «Ждут одобрения». Собеседник узнает ваш ответ, когда вы нажмёте «Ответить».";

const DAY_MS = 86_400_000;

/** «За 30 дней: спросили 12 раз, выполнено 9, не удалось 1»; null for one that is younger than a day and was not asked for yet. */
export function figuresText(
  figures: ActFigures["tools"][number] | undefined,
  createdAt: string,
  now = Date.now(),
): string | null {
  if (figures === undefined || figures.asked === 0)
    return now - Date.parse(createdAt) < DAY_MS ? null : "За\u00a030\u00a0дней ни\u00a0разу не\u00a0понадобилось";
  const { asked, done, refused, failed, unknown, waiting } = figures;
  const parts = [
    `спросили ${plural(asked, ["раз", "раза", "раз"])}`,
    `выполнено ${formatNumber(done)}`,
    refused > 0 && `отклонено ${formatNumber(refused)}`,
    failed > 0 && `не\u00a0удалось ${formatNumber(failed)}`,
    unknown > 0 && `неизвестно ${formatNumber(unknown)}`,
    waiting > 0 && `ждёт ${formatNumber(waiting)}`,
  ];
  return `За\u00a030\u00a0дней: ${parts.filter(Boolean).join(", ")}`;
}
