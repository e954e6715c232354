import type { LucideIcon } from "lucide-react";
import { createContext } from "react";

/** An act of the screen, in words behind «Ещё» where a bar has no room for its button. */
export interface MenuAct {
  label: string;
  icon: LucideIcon;
  onSelect: () => void;
  destructive?: boolean;
  /** Whether a line parts it from those before. */
  apart?: boolean;
  className?: string;
}

/** What the menu offers: its module is fetched late, through a button that visitors' pages have too and that passes nothing on. */
export const ActsContext = createContext<readonly MenuAct[]>([]);
