import { Button } from "./button.tsx";

interface MoreButtonProps {
  /** How many are not shown yet. */
  left: number;
  /** How many a press adds at most. */
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
