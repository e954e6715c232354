import { Command } from "cmdk";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface PaletteItemProps {
  /** Unique among all items; the search filters by it. */
  value: string;
  keywords?: string[];
  icon: LucideIcon;
  /** Replaces the icon, for a person's avatar. */
  face?: ReactNode;
  label: ReactNode;
  about?: ReactNode;
  onSelect: () => void;
}

export function PaletteItem({ value, keywords = [], icon: Icon, face, label, about, onSelect }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 text-md data-[selected=true]:bg-hover"
    >
      {face ?? <Icon aria-hidden className="icon text-muted" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {about && <span className="block truncate text-sm text-subtle">{about}</span>}
      </span>
    </Command.Item>
  );
}
