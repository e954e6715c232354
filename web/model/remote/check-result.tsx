import { CircleAlert, CircleCheck } from "lucide-react";
import type { RemoteCheck } from "#contract/models/remote-model.ts";
import { plural } from "#web/i18n/plural.ts";

export function CheckResult({ result }: { result: Omit<RemoteCheck, "contextTokens"> | undefined }) {
  if (result === undefined) return <div role="status" />;
  const { problem, sentence, tokens } = result;
  const Icon = problem === null ? CircleCheck : CircleAlert;
  return (
    <p
      role="status"
      className={`flex max-w-measure items-start gap-2 text-md [overflow-wrap:anywhere] ${problem === null ? "text-success-text" : "text-danger-text"}`}
    >
      <Icon aria-hidden className="icon mt-0.5 shrink-0" />
      <span>
        {sentence}
        {problem === null && tokens !== null && ` На проверку ушло: ${plural(tokens, ["токен", "токена", "токенов"])}.`}
      </span>
    </p>
  );
}
