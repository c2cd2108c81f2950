import { z } from 'zod';
import { byteOrderMark, type Cell, csvLine } from '../base/csv/csv.ts';
import { csvLocales, type CsvWriting, csvWritingIn, fileDay } from '../base/csv/csv-writing.ts';
import { isUuid } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { findCredentialsOfPayments } from '../payments/store/payments.ts';
import { findTimeZone } from '../people/store/organization-profiles.ts';
import { listCredentialRows } from '../providers/store/credentials.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, may, type PersonCaller } from '../base/caller.ts';
import { listPaymentsSchema } from '../payments/views/list-payments-input.ts';
import { parseForm } from '../base/parsing/parse.ts';
import type { PaymentView } from '../payments/views/payment-view.ts';
import type { PaymentService } from '../payments/payments.ts';
import { withRetries } from '../base/pacing/with-retries.ts';

const organizationRule = 'must be the id of an organization';
const exportSchema = listPaymentsSchema.omit({ limit: true, cursor: true }).extend({
  organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }),
  locale: z.enum(csvLocales, { error: 'must be pt or en' }),
});

export type PaymentExport = z.output<typeof exportSchema>;

interface Words {
  name: string;
  header: readonly string[];
  /** Others are written as they are. */
  statuses: Readonly<Record<string, string>>;
}

const words: Record<PaymentExport['locale'], Words> = {
  pt: {
    name: 'pagamentos',
    header: [
      'ID',
      'Criado em',
      'Situação',
      'Valor (R$)',
      'Referência',
      'Descrição',
      'Provedor',
      'Nome do pagador',
      'CPF/CNPJ do pagador',
      'E-mail do pagador',
      'Confirmado em',
      'Expira em',
      'ID do Pix (EndToEndId)',
      'Estornado ou devolvido (R$)',
      'Líquido (R$)',
      'Credencial',
    ],
    statuses: {
      pending: 'Pendente',
      completed: 'Pago',
      expired: 'Expirado',
      cancelled: 'Cancelado',
      refunded: 'Estornado',
      failed: 'Falhou',
    },
  },
  en: {
    name: 'payments',
    header: [
      'ID',
      'Created at',
      'Status',
      'Amount (BRL)',
      'Reference',
      'Description',
      'Provider',
      'Payer name',
      'Payer document',
      'Payer e-mail',
      'Confirmed at',
      'Expires at',
      'End-to-end ID',
      'Refunded or returned (BRL)',
      'Net (BRL)',
      'Credential',
    ],
    statuses: {},
  },
};

const goneOf = ({ amountRefunded = 0, amountReversed = 0 }: PaymentView): number =>
  amountRefunded + amountReversed;

const cellsOf = (
  payment: PaymentView,
  credential: string | undefined,
  { amount, instant }: CsvWriting,
  { statuses }: Words,
): Cell[] => [
  payment.id,
  instant(payment.createdAt),
  statuses[payment.status] ?? payment.status,
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
  goneOf(payment) === 0 ? '' : amount(goneOf(payment)),
  payment.confirmedAt === undefined ? '' : amount(payment.amount - goneOf(payment)),
  credential ?? '',
];

export const parsePaymentExport = (query: unknown): PaymentExport => parseForm(exportSchema, query);

/** Contains the current date in Brasília. */
export const exportFileName = ({ locale, mode }: PaymentExport, now: Date): string =>
  `${words[locale].name}-${mode}-${fileDay(now)}.csv`;

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

export function createPaymentExportService({ db, audit, payments }: Dependencies): PaymentExportService {
  return {
    async *csv(caller, asked) {
      assertMay(caller, 'payments:read');
      const { locale, organization: _, mode: __, ...wanted } = asked;
      const showsPayers = may(caller, 'payers:read');
      const { search, payer, ...filter } = wanted;
      // The texts may be a payer's document.
      const details = {
        ...filter,
        ...(search !== undefined && { isSearch: true }),
        ...(payer !== undefined && { isOfPayer: true }),
        showsPayers,
      };
      await audit.record(db, caller, 'payment.export', null, details);
      const exporting: PersonCaller = { ...caller, isExporting: true };
      const writing = csvWritingIn(locale, await findTimeZone(db, caller.organizationId));
      let text = byteOrderMark + csvLine(words[locale].header, writing);
      const credentials = await listCredentialRows(db, caller.organizationId);
      const names = new Map(credentials.map(({ id, name }) => [id, name]));
      let cursor: string | undefined;
      do {
        const query = { ...wanted, limit: pageSize, cursor };
        const readPage = () => payments.listForReport(exporting, query);
        // After the first chunk a failure would truncate the file, so only the first page may fail with
        // `service_unavailable`.
        const { data, nextCursor } = await (cursor === undefined ? readPage() : withRetries(readPage));
        const used = await findCredentialsOfPayments(
          db,
          data.map(({ id }) => id),
        );
        const lines = data.map((payment) =>
          csvLine(cellsOf(payment, names.get(used.get(payment.id) ?? ''), writing, words[locale]), writing),
        );
        yield text + lines.join('');
        text = '';
        cursor = nextCursor;
      } while (cursor !== undefined);
    },
  };
}
