import type { VoiceFigure } from "#contract/models/voice.ts";
import { formatShare } from "#web/i18n/format.ts";

type Known = VoiceFigure & { value: number; low: number; high: number };

export const isKnown = (figure: VoiceFigure | null): figure is Known => figure !== null && figure.value !== null;

/** Returns «41%, скорее всего от 30% до 52%». */
export const figureText = ({ value, low, high }: Known): string =>
  `${formatShare(value)}, скорее всего от\u00a0${formatShare(low)} до\u00a0${formatShare(high)}`;

/**
 * The effect of a voice adapter on fidelity; null unless both values are measured. If each lies in the other's interval, nothing is proven.
 */
export function compareFigures(before: VoiceFigure | null, after: VoiceFigure | null): string | null {
  if (!isKnown(before) || !isKnown(after)) return null;
  if (after.low > before.high) return "С этим почерком двойник отвечает заметно похожее на вас.";
  if (after.high < before.low) return "С этим почерком двойник отвечает менее похоже на вас.";
  if (after.value > before.value) return "Похоже, с этим почерком лучше, но разница может быть случайной.";
  if (after.value < before.value) return "Похоже, с этим почерком хуже, но разница может быть случайной.";
  return "Разницы не видно.";
}
