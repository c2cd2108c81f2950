import type { Instruments } from './instruments.ts';

const longestAgeSeconds = 60;

/** What is measured of a backlog is gone when it could not be measured for a minute, so that alerts notice. */
export function createBacklogMetrics({ gauge }: Instruments) {
  let measuredAt: number | undefined;
  const age = () => (measuredAt === undefined ? undefined : (performance.now() - measuredAt) / 1_000);
  const dropWhenOld = (measured: { reset(): void }): void => {
    if ((age() ?? 0) > longestAgeSeconds) measured.reset();
  };
  const backlog = gauge(
    'pix_backlog_seconds',
    'How long the longest overdue work has waited, by kind; 0: none is overdue. Gone when it could not be measured for a minute.',
    ['kind'],
    dropWhenOld,
  );
  const byProvider = gauge(
    'pix_provider_backlog_seconds',
    'How long the longest overdue check of payments has waited, by provider, as far as the first thousand tell.',
    ['provider'],
    dropWhenOld,
  );
  gauge(
    'pix_backlog_age_seconds',
    'How long ago this node measured pix_backlog_seconds; nodes without workers have none.',
    [],
    (measured) => {
      const seconds = age();
      if (seconds === undefined) measured.remove();
      else measured.set(seconds);
    },
  );

  return {
    /** How long the longest overdue work of a kind has waited; 0: none is overdue. */
    setBacklog(kind: string, seconds: number): void {
      backlog.set({ kind }, seconds);
    },
    /** How long the longest overdue check of payments at each provider has waited; replaces what was reported before. */
    setProviderBacklog(overdue: readonly { provider: string; seconds: number }[]): void {
      byProvider.reset();
      for (const { provider, seconds } of overdue) byProvider.set({ provider }, seconds);
    },
    /** All kinds were set. */
    backlogMeasured(): void {
      measuredAt = performance.now();
    },
  };
}
