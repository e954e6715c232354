import { useState } from "react";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { AgentAbout } from "./agent-about.tsx";
import type { Agent } from "./agents.ts";
import { DemoChat } from "./demo-chat.tsx";

interface AgentDialogProps {
  agent: Agent;
  createPath: string;
  onClose: () => void;
}

type View = "about" | "demo" | "back-from-demo";

export default function AgentDialog({ agent, createPath, onClose }: AgentDialogProps) {
  const [view, setView] = useState<View>("about");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={agent.name} description={agent.position}>
        {view === "demo" ? (
          <DemoChat agent={agent} createPath={createPath} onBack={() => setView("back-from-demo")} />
        ) : (
          <AgentAbout
            agent={agent}
            createPath={createPath}
            focusesDemo={view === "back-from-demo"}
            onDemo={() => setView("demo")}
          />
        )}
      </DialogContent>
    </Dialog>
  );
}
