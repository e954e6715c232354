import { Component, type ReactNode } from "react";
import { isStaleChunkError, reloadForStaleChunk } from "#web/stale-chunk.ts";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

interface State {
  error: unknown;
  reloading: boolean;
}

/** Catches all rendering errors, and errors of code that could not be loaded after a new release. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined, reloading: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, reloading: isStaleChunkError(error) };
  }

  override componentDidCatch(error: unknown) {
    if (!isStaleChunkError(error)) return;
    void reloadForStaleChunk().then((reloading) => {
      if (!reloading) this.setState({ reloading });
    });
  }

  override render() {
    const { error, reloading } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main id="content" tabIndex={-1} lang="ru" className="grid min-h-[60dvh] place-items-center p-4">
        <h1 className="sr-only">Страница не загрузилась</h1>
        {reloading ? (
          <LoadingStatus>Загружаем новую версию...</LoadingStatus>
        ) : (
          <ErrorCard
            title="Не удалось загрузить страницу"
            {...(isStaleChunkError(error)
              ? { detail: "Пропала связь с сервером или вышла новая версия приложения." }
              : {})}
            className="w-full max-w-xl"
            // A failed lazy import stays failed until the page is reloaded.
            retryLabel="Обновить"
            onRetry={() => location.reload()}
          />
        )}
      </main>
    );
  }
}
