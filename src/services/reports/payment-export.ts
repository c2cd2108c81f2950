import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { byteOrderMark, csvLine } from './csv.ts';
import { Unavailable } from '../../domain/errors.ts';
import { isUuid } from '../../domain/ids.ts';
import { isJsonObject } from '../../domain/json/metadata.ts';
import type { Database } from '../../persistence/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, may, type PersonCaller } from '../caller.ts';
import { listPaymentsSchema } from '../payments/list-payments-input.ts';
import { parse } from '../parse.ts';
import type { PaymentView } from '../payments/payment-view.ts';
import type { PaymentService } from '../payments/payments.ts';

const organizationRule = 'must be the id of an organization';
const exportSchema = listPaymentsSchema
  .pick({ status: true, externalId: true, concern: true, createdFrom: true, createdTo: true })
  .extend({
    organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
    mode: z.enum(['test', 'live'], { error: 'must be test or live' }),
    locale: z.enum(['pt', 'en'], { error: 'must be pt or en' }),
  });

export type PaymentExport = z.output<typeof exportSchema>;

/** Number and separator conventions of a locale. */
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
      'ID do Pix (EndToEndId)',
      'Valor devolvido (R$)',
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
      'End-to-end ID',
      'Amount refunded (BRL)',
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
  payment.endToEndId ?? '',
  payment.amountRefunded === undefined ? '' : amount(payment.amountRefunded),
];

/** `query` is unparsed; empty form fields count as absent. */
export function parsePaymentExport(query: unknown): PaymentExport {
  const entries = isJsonObject(query) ? Object.entries(query) : [];
  return parse(exportSchema, Object.fromEntries(entries.filter(([, value]) => value !== '')));
}

/** With the current date in Brasília. */
export function exportFileName({ locale, mode }: PaymentExport, now: Date): string {
  const [day, month, year] = inBrasilia.format(now).split(/\D+/);
  return `${writings[locale].name}-${mode}-${year}-${month}-${day}.csv`;
}

export interface PaymentExportService {
  /**
   * Yields the file in chunks, newest payment first, reading each when the previous one was taken. The export
   * is recorded in the audit log first.
   */
  csv(caller: PersonCaller, wanted: PaymentExport): AsyncGenerator<string>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payments: Pick<PaymentService, 'listForReport'>;
}

const pageSize = 100;

/** Retries for a few seconds while the report queue is full. */
async function withRetries<T>(read: () => Promise<T>, triesLeft = 5): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unavailable) || triesLeft === 0) throw error;
    await delay(1_000);
    return withRetries(read, triesLeft - 1);
  }
}

export function createPaymentExportService({ db, audit, payments }: Dependencies): PaymentExportService {
  return {
    async *csv(caller, { locale, status, externalId, concern, createdFrom, createdTo }) {
      assertMay(caller, 'payments:read');
      const wanted = { status, externalId, concern, createdFrom, createdTo };
      const showsPayers = may(caller, 'payers:read');
      await audit.record(db, caller, 'payment.export', null, { ...wanted, showsPayers });
      const exporting: PersonCaller = { ...caller, isExporting: true };
      const writing = writings[locale];
      const { separator } = writing;
      let text = byteOrderMark + csvLine(writing.header, separator);
      let cursor: string | undefined;
      do {
        const query = { ...wanted, limit: pageSize, cursor };
        const readPage = () => payments.listForReport(exporting, query);
        // After the first chunk a failure would truncate the file, so only the first page may fail with
        // `service_unavailable`.
        const { data, nextCursor } = await (cursor === undefined ? readPage() : withRetries(readPage));
        yield text + data.map((payment) => csvLine(cellsOf(payment, writing), separator)).join('');
        text = '';
        cursor = nextCursor;
      } while (cursor !== undefined);
    },
  };
}
