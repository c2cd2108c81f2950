import { asaas } from '../psp-emulator/asaas.ts';
import { defineBacen } from '../psp-emulator/bacen.ts';
import { mercadopago } from '../psp-emulator/mercadopago.ts';
import { pagarme } from '../psp-emulator/pagarme.ts';
import { pagbank } from '../psp-emulator/pagbank.ts';
import type { DefinePsp } from '../psp-emulator/psp.ts';
import { woovi } from '../psp-emulator/woovi.ts';

/** How a claim shows: as a return under way (`natureza` of the API Pix), or by what the wire calls it, if it shows it open. */
export type Claim = { as: 'return'; reason: string } | { as: 'dispute'; open?: string; lost: string };

export const isShownOpen = (claim: Claim): boolean => claim.as === 'return' || claim.open !== undefined;

/** What a provider can tell of money, by its documentation. */
export interface Bank {
  name: string;
  provider: string;
  /** Absent for the sandbox, which is part of the service. */
  define?: DefinePsp;
  /** Whether a charge can be paid again; elsewhere a code that is paid is used up. */
  takesSeveralPix: boolean;
  /** What shows of a return: a name that tells whether it is one of our refunds, its amount, or the sum of all. */
  returnsShow: 'names' | 'amounts' | 'sums';
  showsFailedRefunds: boolean;
  claims: readonly Claim[];
  switches: readonly string[];
}

const usual = {
  takesSeveralPix: false,
  returnsShow: 'names',
  showsFailedRefunds: true,
  claims: [],
} as const;

/** API Pix 2.9.0: `pix[].devolucoes[].natureza`, with the same states as refunds. */
const med: Claim[] = [
  { as: 'return', reason: 'MED_FRAUDE' },
  { as: 'return', reason: 'MED_OPERACIONAL' },
];

export const banks: readonly Bank[] = [
  {
    ...usual,
    name: 'bacen',
    provider: 'bacen',
    define: defineBacen('standard'),
    takesSeveralPix: true,
    claims: med,
    switches: ['numericAmounts', 'oneDecimal', 'localTimes', 'nulls', 'keyLeftOut', 'singleItem', 'noCancel'],
  },
  {
    ...usual,
    name: 'efi',
    provider: 'bacen',
    define: defineBacen('efi'),
    takesSeveralPix: true,
    claims: med,
    switches: [],
  },
  {
    ...usual,
    name: 'mercadopago',
    provider: 'mercadopago',
    define: mercadopago,
    // Its own ids, and ours is in an answer that may be lost.
    returnsShow: 'amounts',
    claims: [
      { as: 'dispute', open: 'mediation', lost: 'chargebacksLost' },
      { as: 'dispute', open: 'chargebacks', lost: 'chargebacksLost' },
    ],
    switches: ['oldSignatures'],
  },
  {
    ...usual,
    name: 'asaas',
    provider: 'asaas',
    define: asaas,
    claims: [{ as: 'dispute', open: 'chargebacks', lost: 'chargebacksLost' }],
    switches: ['noPixTransaction', 'noEndToEndId', 'refundTooEarly', 'refundsNeedAuthorization'],
  },
  {
    ...usual,
    name: 'woovi',
    provider: 'woovi',
    define: woovi,
    claims: [{ as: 'dispute', open: 'disputes', lost: 'disputesLost' }],
    switches: ['noTransactionId', 'noPix', 'noDisputeValue'],
  },
  {
    ...usual,
    name: 'pagarme',
    provider: 'pagarme',
    define: pagarme,
    returnsShow: 'amounts',
    claims: [{ as: 'dispute', lost: 'chargebacksLost' }],
    switches: ['noPaidAmount', 'expiredTransactions', 'partialRefunds', 'conflicts'],
  },
  {
    ...usual,
    name: 'pagbank',
    provider: 'pagbank',
    define: pagbank,
    returnsShow: 'sums',
    showsFailedRefunds: false,
    switches: ['endToEndId', 'lateCharges', 'refundTooEarly'],
  },
  {
    ...usual,
    name: 'sandbox',
    provider: 'sandbox',
    takesSeveralPix: true,
    claims: [
      { as: 'dispute', open: '', lost: '' },
      { as: 'return', reason: 'med_fraud' },
    ],
    switches: [],
  },
];
