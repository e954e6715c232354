import { CopyButton } from "#web/ui/copy-button.tsx";

export function SettingLines({ lines }: { lines: readonly string[] }) {
  const text = lines.join("\n");
  return (
    <div className="mt-3 flex max-w-prose items-start gap-2 rounded-md bg-sunken py-1 ps-3 pe-1">
      <code className="min-w-0 flex-1 whitespace-pre-wrap py-1.5 font-mono text-sm [overflow-wrap:anywhere]">
        {text}
      </code>
      <CopyButton text={text} what={lines[0]!.split("=")[0]!} bare />
    </div>
  );
}
