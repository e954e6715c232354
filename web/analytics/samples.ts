/** Sample data for /analytics when the server has returned nothing; always marked with the badge «Пример». */
import type { Analytics } from "#contract/report.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const interactions = [142, 168, 155, 189, 201, 176, 216] as const;
const accuracy = [92.1, 93.4, 92.8, 94.2, 95, 94.1, 95.3] as const;

/** Returns a sample week that ends on the day of `now` (ms). */
export function sampleReport(now: number): Analytics {
  return {
    days: 7,
    totalInteractions: 1247,
    responseAccuracy: 94.2,
    userSatisfaction: 4.7,
    ratings: 86,
    avgResponseTime: 2.3,
    dailyStats: interactions.map((count, place) => ({
      date: new Date(now - (interactions.length - 1 - place) * DAY_MS).toLocaleDateString("sv-SE"),
      interactions: count,
      accuracy: accuracy[place] ?? null,
    })),
    topPerformingTwins: [
      { id: "sample-1", name: "Анна, поддержка", interactions: 542, accuracy: 96.1 },
      { id: "sample-2", name: "Павел, продажи", interactions: 438, accuracy: 93.7 },
      { id: "sample-3", name: "Мария, консультации", interactions: 267, accuracy: 91.2 },
    ],
  };
}
