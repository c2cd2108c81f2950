interface Waiting {
  nextAttemptAt: string | null;
}

const soonMs = 60_000;

/** Whether one of them is about to be sent. What is long overdue is not: its endpoint is disabled, or nobody sends. */
export const isSendingSoon = (deliveries: readonly Waiting[]): boolean =>
  deliveries.some(
    ({ nextAttemptAt }) => nextAttemptAt && Math.abs(Date.parse(nextAttemptAt) - Date.now()) < soonMs,
  );
