import type { Queryable } from '../../../database/database.ts';

/** How far each test clock is ahead of real time, by organization. */
export async function listTestClocks(db: Queryable): Promise<Map<string, number>> {
  const clocks = await db.testClock.findMany();
  return new Map(clocks.map(({ organizationId, aheadMs }) => [organizationId, Number(aheadMs)]));
}

/** Never moves it back. Returns how far it is ahead then. */
export async function moveTestClock(db: Queryable, organizationId: string, aheadMs: number): Promise<number> {
  const [row] = await db.$queryRaw<{ aheadMs: bigint }[]>`
    INSERT INTO test_clock AS clock (organization_id, ahead_ms) VALUES (${organizationId}::uuid, ${aheadMs}::bigint)
    ON CONFLICT (organization_id) DO UPDATE SET ahead_ms = greatest(clock.ahead_ms, excluded.ahead_ms)
    RETURNING ahead_ms AS "aheadMs"`;
  return Number(row?.aheadMs ?? 0n);
}

export async function deleteTestClock(db: Queryable, organizationId: string): Promise<void> {
  await db.testClock.deleteMany({ where: { organizationId } });
}
