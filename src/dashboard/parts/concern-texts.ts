import type { PaymentConcern } from '../../domain/payments/payment.ts';
import { type Texts, texts } from '../shell/language.tsx';

export const concernTexts: Texts<Record<PaymentConcern, string>> = texts(
  { duplicated: 'Mais de um Pix recebido', paid_late: 'Pago com atraso' },
  { duplicated: 'More than one Pix was received', paid_late: 'Paid late' },
);
