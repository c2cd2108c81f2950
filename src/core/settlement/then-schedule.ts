/** Schedules the next look even if this one fails; otherwise a refused credential would be polled again after every lease. */
export async function thenSchedule(
  look: Promise<void>,
  schedule: (failure: unknown) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  try {
    await look;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await schedule(failure);
  }
}
