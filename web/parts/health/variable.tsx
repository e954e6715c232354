export function Variable({ children }: { children: string }) {
  return <code className="font-mono text-sm">{children}</code>;
}
