import type { PaymentConcern } from '../../core/payments/rules/payment.ts';
import { type Texts, texts } from '../base/language.tsx';

export const concernTexts: Texts<Record<PaymentConcern, string>> = texts(
  {
    duplicated: 'Pago mais de uma vez',
    paid_late: 'Pago fora do prazo',
    amount_differs: 'Pago com outro valor',
    other_payer: 'Pago por outra pessoa',
    disputed: 'Em contestação',
  },
  {
    duplicated: 'Paid more than once',
    paid_late: 'Paid late',
    amount_differs: 'Paid with another amount',
    other_payer: 'Paid by somebody else',
    disputed: 'Disputed',
  },
);
