import { tidied } from './typed.ts';

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

/**
 * Parses an amount as people write it: `19.90`, `19,90`, `R$ 1.234,56`, `1,234.56`. Undefined for anything
 * else.
 */
export function centsFromText(text: string): Cents | undefined {
  const bare = tidied(text).replace(/^R\$\s*/i, '');
  const isBrazilian = /^[1-9]\d{0,2}(\.\d{3}){1,3}(,\d{1,2})?$/.test(bare);
  const isEnglish = /^[1-9]\d{0,2}(,\d{3}){1,3}\.\d{1,2}$/.test(bare);
  const ungrouped = isBrazilian ? bare.replaceAll('.', '') : isEnglish ? bare.replaceAll(',', '') : bare;
  const plain = ungrouped.replace(',', '.');
  return /^\d{1,10}(\.\d{1,2})?$/.test(plain) ? centsFromReais(Number(plain)) : undefined;
}
