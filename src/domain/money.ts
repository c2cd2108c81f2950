declare const centavos: unique symbol;

/** An amount of BRL in whole centavos. */
export type Cents = bigint & { readonly [centavos]: true };

export const minimumAmountInReais = 0.01;
export const maximumAmountInReais = 9_999_999_999.99;

export const cents = (value: bigint | number): Cents => BigInt(value) as Cents;

/** Undefined when the amount has more than two decimals. */
export function centsFromReais(reais: number): Cents | undefined {
  const whole = Math.round(reais * 100);
  return whole / 100 === reais ? cents(whole) : undefined;
}

/** Exact for every amount up to `maximumAmountInReais`. */
export const reaisFromCents = (amountInCents: Cents): number => Number(amountInCents) / 100;
