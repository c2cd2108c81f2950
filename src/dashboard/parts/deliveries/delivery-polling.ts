interface PendingDelivery {
  nextAttemptAt: string | null;
}

const soonMs = 60_000;

/** Excludes long overdue deliveries: their endpoint is disabled, or no worker is running. */
export const isSendingSoon = (deliveries: readonly PendingDelivery[]): boolean =>
  deliveries.some(
    ({ nextAttemptAt }) => nextAttemptAt && Math.abs(Date.parse(nextAttemptAt) - Date.now()) < soonMs,
  );
