/** Schedules the next check even if this one fails; otherwise a refused credential would be polled again after every lease. */
export async function thenSchedule(
  check: Promise<void>,
  schedule: (failure: unknown) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  try {
    await check;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await schedule(failure);
  }
}
