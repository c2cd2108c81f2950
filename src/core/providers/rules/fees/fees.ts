import { type Cents, cents, centsFromReais, reaisFromCents } from '../../../base/money.ts';

/** What a provider takes of a received Pix. Unlike an interface, a type alias is JSON, so amounts are plain numbers. */
export type FeeTerms = {
  /** Four decimals of a percentage are whole numbers of these. */
  partsPerMillion: number;
  /** Added to the percentage; the bounds are of the sum. */
  fixedInCents: number;
  minimumInCents: number | null;
  maximumInCents: number | null;
};

export type Fees = FeeTerms & {
  /** The day of Brasília on which somebody said so: of what was received before, they say nothing. */
  since: string;
};

/** The same with a percentage, and amounts in BRL. */
export type ShownTerms = {
  percent: number;
  fixed: number;
  minimum: number | null;
  maximum: number | null;
};

export type ShownFees = ShownTerms & Pick<Fees, 'since'>;

const million = 1_000_000n;

/** The fee for an amount before it is rounded, in millionths of a centavo. */
export function exactFeeOf(
  { partsPerMillion, fixedInCents, minimumInCents, maximumInCents }: FeeTerms,
  amountInCents: Cents,
): bigint {
  const fee = amountInCents * BigInt(partsPerMillion) + BigInt(fixedInCents) * million;
  if (minimumInCents !== null && fee < BigInt(minimumInCents) * million)
    return BigInt(minimumInCents) * million;
  if (maximumInCents !== null && fee > BigInt(maximumInCents) * million)
    return BigInt(maximumInCents) * million;
  return fee;
}

/** The fee for an amount. Half a centavo is rounded up, as invoices do, and as PostgreSQL does for whole statements. */
export const feeOf = (terms: FeeTerms, amountInCents: Cents): Cents =>
  cents((exactFeeOf(terms, amountInCents) + million / 2n) / million);

/** A part of the fee as a straight line: millionths of a centavo for each centavo, and for none. */
const linesOf = ({ partsPerMillion, fixedInCents, minimumInCents, maximumInCents }: FeeTerms) => [
  { slope: BigInt(partsPerMillion), start: BigInt(fixedInCents) * million },
  ...[minimumInCents, maximumInCents].flatMap((bound) =>
    bound === null ? [] : [{ slope: 0n, start: BigInt(bound) * million }],
  ),
];

/** Amounts, in no order, from which on another of two may be the cheaper one. Between two of them the same one is. */
export const feeCrossings = (one: FeeTerms, other: FeeTerms): Cents[] =>
  linesOf(one).flatMap((a) =>
    linesOf(other).flatMap((b) => {
      if (a.slope === b.slope) return [];
      const crossing = (b.start - a.start) / (a.slope - b.slope);
      return crossing < 0n ? [] : [cents(crossing), cents(crossing + 1n)];
    }),
  );

const reaisOf = (amountInCents: number | null): number | null =>
  amountInCents === null ? null : reaisFromCents(cents(amountInCents));

export const shownTerms = (terms: FeeTerms): ShownTerms => ({
  percent: terms.partsPerMillion / 10_000,
  fixed: reaisFromCents(cents(terms.fixedInCents)),
  minimum: reaisOf(terms.minimumInCents),
  maximum: reaisOf(terms.maximumInCents),
});

const centsOf = (reais: number): number => Number(centsFromReais(reais) ?? 0);

const centsIfAny = (reais: number | null): number | null => (reais === null ? null : centsOf(reais));

/** Reverses `shownTerms`. */
export const termsOf = ({ percent, fixed, minimum, maximum }: ShownTerms): FeeTerms => ({
  partsPerMillion: Math.round(percent * 10_000),
  fixedInCents: centsOf(fixed),
  minimumInCents: centsIfAny(minimum),
  maximumInCents: centsIfAny(maximum),
});

export const shownFees = (fees: Fees): ShownFees => ({ ...shownTerms(fees), since: fees.since });
