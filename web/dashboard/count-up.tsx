import { useEffect, useRef } from "react";
import { dashboardDefaults } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { StatCard } from "#web/ui/figures/stat-card.tsx";

interface CountUpCardProps {
  label: string;
  value: number;
  suffix?: string;
  change: number;
  loading: boolean;
  /** Whether the figure could not be loaded, so that the card omits it. */
  failed: boolean;
}

const easeOutCubic = (share: number) => 1 - (1 - share) ** 3;

/** A figure that counts up from 0. It writes to the DOM node directly, so that animation frames cause no renders. */
export function CountUpCard({ label, value, suffix = "", change, loading, failed }: CountUpCardProps) {
  const node = useRef<HTMLElement>(null);
  useEffect(() => {
    const target = node.current;
    if (loading || failed || target === null) return;
    const show = (number: number) => {
      target.textContent = formatNumber(Math.round(number)) + suffix;
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show(value);
    let frame = 0;
    let started: number | undefined;
    const step = (now: number) => {
      started ??= now;
      const share = Math.min(1, (now - started) / dashboardDefaults.countUpMs);
      show(value * easeOutCubic(share));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    show(0);
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [value, suffix, loading, failed]);
  if (failed) return <StatCard label={label} value="—" />;
  return <StatCard label={label} value={null} valueRef={node} change={change} loading={loading} />;
}

/** Change in percent against the synthetic previous value. If that is zero or less, any current value counts as a gain of 100 %. */
export function percentChange(value: number, previous: number): number {
  if (previous <= 0) return value > 0 ? 100 : 0;
  return Math.round(((value - previous) / previous) * 100);
}
