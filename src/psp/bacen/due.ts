import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import { type Address, streetLineOf } from '../../core/payments/rules/address.ts';
import type { AmountParts } from '../../core/payments/rules/due/amount-due.ts';
import type { DueTerms, EarlyDiscount, Interest, Share } from '../../core/payments/rules/due/due-terms.ts';
import type { WirePix } from './wire-format.ts';

export const amountOf = (amountInCents: Cents): string => reaisFromCents(amountInCents).toFixed(2);

/** Hundredths of a percent are written as centavos are. */
const percentOf = (basisPoints: number): string => amountOf(cents(BigInt(basisPoints)));

export const calendarOf = ({ date, payableDaysAfter }: DueTerms): object => ({
  dataDeVencimento: date,
  validadeAposVencimento: payableDaysAfter,
});

// The numbers of `modalidade` are those of `CobVValor` in the API Pix 2.9.0.

interface Modality {
  modalidade: number;
  valorPerc: string;
}

const modalityOf = (share: Share): Modality =>
  'amountInCents' in share
    ? { modalidade: 1, valorPerc: amountOf(share.amountInCents) }
    : { modalidade: 2, valorPerc: percentOf(share.basisPoints) };

/** The modalities of business days follow those of calendar days. */
function interestOf(interest: Interest): Modality {
  const first = interest.businessDays ? 5 : 1;
  if ('amountInCentsPerDay' in interest)
    return { modalidade: first, valorPerc: amountOf(interest.amountInCentsPerDay) };
  const offset = { day: 1, month: 2, year: 3 }[interest.per];
  return { modalidade: first + offset, valorPerc: percentOf(interest.basisPoints) };
}

function earlyDiscountOf(discount: EarlyDiscount): Modality {
  const offset = discount.businessDays ? 1 : 0;
  return 'amountInCentsPerDay' in discount
    ? { modalidade: 3 + offset, valorPerc: amountOf(discount.amountInCentsPerDay) }
    : { modalidade: 5 + offset, valorPerc: percentOf(discount.basisPointsPerDay) };
}

function discountsOf(discounts: NonNullable<DueTerms['discounts']>): object {
  const each = discounts.map(({ until, ...share }) => ({ until, ...modalityOf(share) }));
  return {
    // All are percents, or all are amounts.
    modalidade: each[0]?.modalidade,
    descontoDataFixa: each.map(({ until, valorPerc }) => ({ data: until, valorPerc })),
  };
}

/** The members of `valor` besides the amount. */
export const termsOf = ({ fine, interest, rebate, discounts, earlyDiscount }: DueTerms): object => ({
  ...(fine && { multa: modalityOf(fine) }),
  ...(interest && { juros: interestOf(interest) }),
  ...(rebate && { abatimento: modalityOf(rebate) }),
  ...(discounts && { desconto: discountsOf(discounts) }),
  ...(earlyDiscount && { desconto: earlyDiscountOf(earlyDiscount) }),
});

/** The members of `valor` for a revision, which keeps what it leaves out and drops what is null (issue 281 of the API Pix). */
export const revisedTermsOf = (terms: DueTerms): object => ({
  multa: null,
  juros: null,
  abatimento: null,
  desconto: null,
  ...termsOf(terms),
});

/** `DadosComplementaresPessoa` of the API Pix 2.9.0, which the debtor of a charge without a due date has not. */
export const addressOf = (address: Address): object => ({
  logradouro: streetLineOf(address),
  cidade: address.city,
  uf: address.state,
  cep: address.postalCode,
});

/** A part that is left out is zero. */
export function partsOf(components: NonNullable<WirePix['componentesValor']>): AmountParts {
  const { original, abatimento, desconto, multa, juros } = components;
  const none = cents(0);
  return {
    originalInCents: original?.valor ?? none,
    rebateInCents: abatimento?.valor ?? none,
    discountInCents: desconto?.valor ?? none,
    fineInCents: multa?.valor ?? none,
    interestInCents: juros?.valor ?? none,
  };
}
