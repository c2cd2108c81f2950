import { z } from 'zod';
import { byteOrderMark, csvLine } from '../domain/csv.ts';
import { isUuid } from '../domain/ids.ts';
import { isJsonObject } from '../domain/metadata.ts';
import type { Caller } from './caller.ts';
import { listPaymentsSchema } from './list-payments-input.ts';
import { parse } from './parse.ts';
import type { PaymentView } from './payment-view.ts';
import type { PaymentService } from './payments.ts';

const organizationRule = 'must be the id of an organization';
const exportSchema = listPaymentsSchema
  .pick({ status: true, externalId: true, concern: true, createdFrom: true, createdTo: true })
  .extend({
    organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
    mode: z.enum(['test', 'live'], { error: 'must be test or live' }),
    locale: z.enum(['pt', 'en'], { error: 'must be pt or en' }),
  });

export type PaymentExport = z.output<typeof exportSchema>;

/** How a country's spreadsheets expect it. */
interface Writing {
  name: string;
  separator: string;
  header: readonly string[];
  amount(amount: number): string;
  instant(iso: string): string;
}

const inBrasilia = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const writings: Record<PaymentExport['locale'], Writing> = {
  pt: {
    name: 'pagamentos',
    separator: ';',
    header: [
      'ID',
      'Criado em',
      'Situação',
      'Valor (R$)',
      'ID externo',
      'Descrição',
      'Provedor',
      'Nome do pagador',
      'CPF/CNPJ do pagador',
      'E-mail do pagador',
      'Confirmado em',
      'Expira em',
    ],
    amount: (amount) => amount.toFixed(2).replace('.', ','),
    instant: (iso) => inBrasilia.format(new Date(iso)).replace(',', ''),
  },
  en: {
    name: 'payments',
    separator: ',',
    header: [
      'ID',
      'Created at',
      'Status',
      'Amount (BRL)',
      'External ID',
      'Description',
      'Provider',
      'Payer name',
      'Payer document',
      'Payer e-mail',
      'Confirmed at',
      'Expires at',
    ],
    amount: (amount) => amount.toFixed(2),
    instant: (iso) => iso,
  },
};

const cellsOf = (payment: PaymentView, { amount, instant }: Writing): string[] => [
  payment.id,
  instant(payment.createdAt),
  payment.status,
  amount(payment.amount),
  payment.externalId ?? '',
  payment.description ?? '',
  payment.provider,
  payment.payerName ?? '',
  payment.payerDocument ?? '',
  payment.payerEmail ?? '',
  payment.confirmedAt === undefined ? '' : instant(payment.confirmedAt),
  instant(payment.expiresAt),
];

/** `query` is unparsed; what a form left empty counts as absent. */
export function parsePaymentExport(query: unknown): PaymentExport {
  const entries = isJsonObject(query) ? Object.entries(query) : [];
  return parse(exportSchema, Object.fromEntries(entries.filter(([, value]) => value !== '')));
}

/** With the day that it is in Brasília. */
export function exportFileName({ locale, mode }: PaymentExport, now: Date): string {
  const [day, month, year] = inBrasilia.format(now).split(/\D+/);
  return `${writings[locale].name}-${mode}-${year}-${month}-${day}.csv`;
}

const pageSize = 100;

/** The file in pieces, newest payment first; each is read when the one before was taken. */
export async function* paymentCsv(
  payments: Pick<PaymentService, 'list'>,
  caller: Caller,
  { locale, status, externalId, concern, createdFrom, createdTo }: PaymentExport,
): AsyncGenerator<string> {
  const writing = writings[locale];
  const { separator } = writing;
  const filter = { status, externalId, concern, createdFrom, createdTo, limit: pageSize };
  let text = byteOrderMark + csvLine(writing.header, separator);
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await payments.list(caller, { ...filter, cursor });
    yield text + data.map((payment) => csvLine(cellsOf(payment, writing), separator)).join('');
    text = '';
    cursor = nextCursor;
  } while (cursor !== undefined);
}
