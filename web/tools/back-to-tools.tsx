import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";

export const BackToTools = ({ twinId }: { twinId: string }) => (
  <Link
    href={paths.twinTools(twinId)}
    className="inline-flex min-h-control items-center gap-2 self-start rounded-md text-md"
  >
    <ArrowLeft aria-hidden className="icon text-muted" />
    Все действия
  </Link>
);
