/**
 * Schedules the next look whatever comes of this one: by the schedule rather than the lease, so that a refused credential
 * is not polled constantly.
 */
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
