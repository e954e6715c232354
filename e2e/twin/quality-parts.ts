// What quality.spec.ts and quality.full.spec.ts share.
import type { Page } from "@playwright/test";

// /twin-quality/{id}: the portrait of the owner's speech, the blind test, and how like the owner the twin answers.

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

export const figures = {
  value: 0.72,
  low: 0.64,
  high: 0.79,
  verified: 0.8,
  indistinguishable: 0.65,
  ceiling: 0.91,
  floor: 0.12,
  copyRate: 0.03,
  relevance: 0.68,
};

export const measure = {
  measuredAt: "2026-11-20T10:00:00Z",
  outdated: false,
  lacking: null,
  rough: false,
  figures,
  own: 420,
  held: 96,
  people: 9,
  model: "qwen2.5:7b",
  handedOver: 4,
};

export const strangers = {
  ...measure,
  figures: { ...figures, value: 0.61, low: 0.5, high: 0.7 },
  held: 48,
  handedOver: 2,
};

export const point = (day: number, value: number) => ({
  measuredAt: `2026-11-${day}T10:00:00Z`,
  value,
  low: value - 0.08,
  high: value + 0.07,
});

export const worst = [
  {
    id: "1",
    contactName: "Олег",
    incoming: "Ты когда будешь?",
    ownerReply: "минут через 10)",
    twinReply: "Буду позже.",
  },
];
