import { useEffect } from "react";
import { Button } from "#web/ui/button.tsx";
import type { ExchangesProps } from "./exchanges.tsx";

/** Shown in place of the chat when its code could not be loaded. */
export function NotLoaded({ asked, onAnswered }: Pick<ExchangesProps, "asked" | "onAnswered">) {
  const count = asked.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question is done with once
  useEffect(() => onAnswered(""), [count]);
  return (
    <li role="alert" className="flex flex-col items-start gap-2 text-md">
      Не удалось загрузить разговор. Проверьте подключение и обновите страницу.
      <Button size="sm" onClick={() => location.reload()}>
        Обновить страницу
      </Button>
    </li>
  );
}
