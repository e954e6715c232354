import type { Analytics } from "#contract/report.ts";
import { type Cell, csvOf } from "#web/files/csv.ts";

/** One table: figures of the period, then its days, then the twins. Confidence in percent, time in seconds. */
export function reportCsv(report: Analytics): string {
  const { totalInteractions, responseAccuracy, userSatisfaction, avgResponseTime, days } = report;
  const rows: Cell[][] = [
    ["Показатель", "Период, дней", days, null],
    ["Показатель", "Всего взаимодействий", totalInteractions, null],
    ["Показатель", "Точность ответов, %", null, responseAccuracy],
    ["Показатель", "Удовлетворённость, из 5.0", null, userSatisfaction],
    ["Показатель", "Время ответа, с", null, avgResponseTime],
    ...report.dailyStats.map(({ date, interactions, accuracy }): Cell[] => ["День", date, interactions, accuracy]),
    ...report.topPerformingTwins.map(({ name, interactions, accuracy }): Cell[] => [
      "Двойник",
      name,
      interactions,
      accuracy,
    ]),
  ];
  return csvOf(["Раздел", "Название", "Взаимодействий", "Точность, % или значение"], rows);
}
