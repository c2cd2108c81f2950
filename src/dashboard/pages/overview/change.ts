/** Compares a figure with the period before: in percentage points for shares, else relative. */
export const changeOf = (value: number, before: number, isShare: boolean): number =>
  isShare ? value - before : (value - before) / before;

/** Writes a sign, unless the change is shown as zero. */
export const changeFormat = { signDisplay: 'exceptZero', maximumFractionDigits: 1 } as const;

/** Only what is shown counts: a change that rounds to zero has no direction. */
export const directionOf = (change: number): number => Math.sign(Math.round(change * 1_000));
