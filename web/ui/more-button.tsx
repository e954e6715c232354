import { Button } from "./button.tsx";

interface MoreButtonProps {
  /** Number of hidden items. */
  left: number;
  /** Maximum number of items that a click adds. */
  step: number;
  onShow: () => void;
}

export function MoreButton({ left, step, onShow }: MoreButtonProps) {
  return (
    <Button variant="ghost" onClick={onShow}>
      Показать ещё {Math.min(step, left)}
    </Button>
  );
}
