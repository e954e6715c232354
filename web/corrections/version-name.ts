import type { TwinVersion, VersionCause } from "#contract/versions.ts";
import { formatRecent } from "#web/i18n/format.ts";

export const CAUSES: Record<VersionCause, string> = {
  before: "До изменений",
  training: "Обучение",
  settings: "Изменены настройки",
  corrections: "Исправления",
  restored: "Возвращена прежняя версия",
};

export const versionName = ({ cause, createdAt }: Pick<TwinVersion, "cause" | "createdAt">) =>
  `${CAUSES[cause]}, ${formatRecent(createdAt)}`;
