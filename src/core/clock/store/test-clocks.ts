import type { Queryable } from '../../../database/database.ts';

/** Longer than a node that is well takes between two renewals. */
const holdSeconds = 15;

export interface Holder {
  organizationId: string;
  /** Whoever it was that took the clock. */
  heldBy: string;
}

interface ClockRow {
  aheadMs: bigint;
}

const aheadMsOf = ([row]: ClockRow[]): number | undefined => row && Number(row.aheadMs);

/** How far each test clock that was moved is ahead of real time, by organization. */
export async function listTestClocks(db: Queryable): Promise<Map<string, number>> {
  const clocks = await db.testClock.findMany({ where: { aheadMs: { gt: 0 } } });
  return new Map(clocks.map(({ organizationId, aheadMs }) => [organizationId, Number(aheadMs)]));
}

/** Returns how far the clock is ahead; undefined while somebody else holds it. */
export async function holdTestClock(
  db: Queryable,
  { organizationId, heldBy }: Holder,
): Promise<number | undefined> {
  return aheadMsOf(
    await db.$queryRaw<ClockRow[]>`
      INSERT INTO test_clock AS clock (organization_id, ahead_ms, held_by, held_until)
      VALUES (${organizationId}::uuid, 0, ${heldBy}::uuid, clock_timestamp() + ${holdSeconds}::int * interval '1 second')
      ON CONFLICT (organization_id) DO UPDATE SET held_by = excluded.held_by, held_until = excluded.held_until
      WHERE clock.held_until IS NULL OR clock.held_until < clock_timestamp()
      RETURNING ahead_ms AS "aheadMs"`,
  );
}

/** Never moves it back, and renews the hold. Returns how far it is ahead then; undefined once the hold is lost. */
export async function moveTestClock(
  db: Queryable,
  { organizationId, heldBy }: Holder,
  aheadMs: number,
): Promise<number | undefined> {
  return aheadMsOf(
    await db.$queryRaw<ClockRow[]>`
      UPDATE test_clock SET ahead_ms = greatest(ahead_ms, ${aheadMs}::bigint),
        held_until = clock_timestamp() + ${holdSeconds}::int * interval '1 second'
      WHERE organization_id = ${organizationId}::uuid AND held_by = ${heldBy}::uuid
      RETURNING ahead_ms AS "aheadMs"`,
  );
}

export async function releaseTestClock(db: Queryable, holder: Holder): Promise<void> {
  await db.testClock.updateMany({ where: holder, data: { heldBy: null, heldUntil: null } });
}

/** Says whether the hold was still there. */
export async function deleteTestClock(db: Queryable, holder: Holder): Promise<boolean> {
  return (await db.testClock.deleteMany({ where: holder })).count > 0;
}
