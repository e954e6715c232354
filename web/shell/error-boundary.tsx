import { Component, type ReactNode } from "react";
import { ErrorCard } from "#web/ui/error-card.tsx";

interface State {
  error: unknown;
}

/** The last stop for errors of rendering, and for code that could not be fetched after a new release. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="grid min-h-[60dvh] place-items-center p-4">
        <ErrorCard
          title="Не удалось загрузить страницу"
          className="w-full max-w-xl"
          // A failed lazy import stays failed until the page is loaded anew.
          onRetry={() => location.reload()}
        />
      </div>
    );
  }
}
