import { CopyButton } from "../copy-button.tsx";

export default function CopiedNumber({ id }: { id: string }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-1 text-muted text-sm">
      <span className="min-w-0 break-all">
        Номер обращения <code className="font-mono">{id}</code>
      </span>
      <CopyButton text={id} what="номер обращения" />
    </span>
  );
}
