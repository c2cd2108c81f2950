import { z } from 'zod';
import { type Caller, may } from '../../base/caller.ts';
import { type Cents, reaisFromCents } from '../../base/money.ts';
import { maskPayer } from '../../payments/rules/payer-mask.ts';
import { qrCodeOf } from '../../payments/views/qr-codes.ts';
import {
  authorizations,
  endings,
  frequencies,
  type PublicRecurrenceStatus,
  type Recurrence,
  recurrenceStatuses,
  retryPolicies,
  schedules,
} from '../rules/recurrence.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });
const day = (description: string) => z.iso.date().meta({ description });

export const payerAccountViewSchema = z.object({
  ispb: z.string().meta({ description: 'ISPB of the bank.' }),
  branch: z.string().optional().meta({ description: 'Branch.' }),
  account: z.string().meta({ description: 'Account with its check digit.' }),
});

export const recurrenceViewSchema = z
  .object({
    id: z.uuid().meta({ description: 'Unique id of the recurrence.' }),
    status: z.enum(recurrenceStatuses).meta({
      description: '`pending` until the payer permits it, `active` until somebody ends it.',
    }),
    statusReason: z.string().optional().meta({ description: 'The provider’s code for why it ended.' }),
    endedBy: z.enum(endings).optional().meta({ description: 'Who ended it.' }),
    amount: z
      .number()
      .optional()
      .meta({ description: 'Amount of each debit in BRL; absent where each has its own.' }),
    minimumAmount: z.number().optional().meta({
      description: 'The least, in BRL, that the payer’s limit for one debit can be.',
    }),
    frequency: z.enum(frequencies).meta({ description: 'How often a debit is due.' }),
    startDate: day('Day of the first debit.'),
    endDate: day('Last day on which a debit may be due; absent without an end.').optional(),
    retries: z
      .enum(retryPolicies)
      .meta({ description: 'Whether a failed debit is tried again, on up to three days within seven.' }),
    authorization: z.enum(authorizations).meta({ description: 'How the payer permits it.' }),
    schedule: z
      .enum(schedules)
      .meta({ description: 'Whether the service makes each debit, or waits to be asked for it.' }),
    contract: z.string().meta({ description: 'Your contract, which the payer’s bank shows.' }),
    description: z.string().optional().meta({ description: 'What it is for, which the payer’s bank shows.' }),
    externalId: z.string().optional().meta({ description: 'Your own reference.' }),
    provider: z.string().meta({ description: 'Payment provider.' }),
    payerName: z.string().meta({ description: 'Payer name.' }),
    payerDocument: z.string().meta({ description: 'Payer document.' }),
    payerAccount: payerAccountViewSchema
      .optional()
      .meta({ description: 'Where the payer’s bank asks them; present with `push`.' }),
    pixCopyPaste: z.string().optional().meta({
      description:
        'Copy-and-paste code by which the payer permits it; present while it is pending, but with `push`.',
    }),
    pixQrCodeBase64: z
      .string()
      .optional()
      .meta({ description: 'The same as a QR code, a Base64-encoded PNG image.' }),
    checkoutUrl: z.url().optional().meta({
      description:
        'Page on which the payer reads what they permit, and permits it; present while it is pending.',
    }),
    firstPaymentId: z
      .uuid()
      .optional()
      .meta({ description: 'The payment that is paid when the payer permits it.' }),
    nextDebitOn: day('Day of the debit that the service makes next.').optional(),
    createdAt: instant('Creation instant.'),
    expiresAt: instant('Until when the payer may permit it.'),
    activatedAt: instant('When the payer permitted it.').optional(),
    endedAt: instant('When it ended.').optional(),
    isTest: z.boolean().meta({ description: 'True for a test (sandbox) recurrence.' }),
  })
  .meta({ description: 'A payer’s standing permission to debit their account (Pix Automático).' });

export type RecurrenceView = z.output<typeof recurrenceViewSchema>;

/** Omits fields without a value. */
export function recurrenceView(recurrence: Recurrence): RecurrenceView {
  const code = recurrence.status === 'pending' ? recurrence.pixCopyPaste : null;
  const amountOf = (amountInCents: Cents | null) =>
    amountInCents === null ? undefined : reaisFromCents(amountInCents);
  return {
    id: recurrence.id,
    status: recurrence.status as PublicRecurrenceStatus,
    statusReason: recurrence.statusReason ?? undefined,
    endedBy: recurrence.endedBy ?? undefined,
    amount: amountOf(recurrence.amountInCents),
    minimumAmount: amountOf(recurrence.minimumAmountInCents),
    frequency: recurrence.frequency,
    startDate: recurrence.startDate,
    endDate: recurrence.endDate ?? undefined,
    retries: recurrence.retries,
    authorization: recurrence.authorization,
    schedule: recurrence.schedule,
    contract: recurrence.contract,
    description: recurrence.description ?? undefined,
    externalId: recurrence.externalId ?? undefined,
    provider: recurrence.provider,
    payerName: recurrence.payerName,
    payerDocument: recurrence.payerDocument,
    payerAccount: recurrence.payerAccount ?? undefined,
    pixCopyPaste: code ?? undefined,
    pixQrCodeBase64: code === null ? undefined : qrCodeOf(code),
    firstPaymentId: recurrence.firstPaymentId ?? undefined,
    nextDebitOn: recurrence.nextDebitOn ?? undefined,
    createdAt: recurrence.createdAt.toISOString(),
    expiresAt: recurrence.expiresAt.toISOString(),
    activatedAt: recurrence.activatedAt?.toISOString(),
    endedAt: recurrence.endedAt?.toISOString(),
    isTest: recurrence.mode === 'test',
  };
}

/** Hides what the caller may not see. */
export const recurrenceShownTo = (caller: Caller, view: RecurrenceView): RecurrenceView =>
  may(caller, 'payers:read') ? view : maskPayer(view);
