import type { LucideIcon } from "lucide-react";
import { createContext } from "react";

/** An action of the screen, listed in the menu «Ещё» where the bar has no space for its button. */
export interface MenuAct {
  label: string;
  icon: LucideIcon;
  onSelect: () => void;
  destructive?: boolean;
  apart?: boolean;
  className?: string;
}

/** Items of the menu. A context, because the menu's code is loaded late through a generic button that passes nothing on. */
export const ActsContext = createContext<readonly MenuAct[]>([]);
