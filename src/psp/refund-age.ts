/** For the clocks of two machines. */
const clockSkewMs = 120_000;

/**
 * Whether a refund that a PSP tells of can be the one that we gave this id: for PSPs that keep no name of
 * ours. The id begins with the milliseconds of its making (UUID v7), and no refund is older than its id.
 */
export function isNotOlder(createdAt: Date | null | undefined, refundId: string): boolean {
  const madeAtMs = refundId[12] === '7' ? Number.parseInt(refundId.slice(0, 12), 16) : 0;
  return !createdAt || createdAt.getTime() >= madeAtMs - clockSkewMs;
}
