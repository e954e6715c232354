import { Button } from "./button.tsx";

interface MoreButtonProps {
  left: number;
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
