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
import { addressLineOf } from '../payments/rules/address.ts';
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

/** What the cells of a payment's line are made from. */
interface Line extends CsvWriting {
  payment: PaymentView;
  credential: string | undefined;
  /** What was refunded, returned or reversed, in BRL. */
  returned: number;
  status: string;
}

interface Column extends Readonly<Record<PaymentExport['locale'], string>> {
  cell(line: Line): Cell;
}

/** What was paid, if it was: with a due date that is another amount than the payment was made for. */
const receivedOf = ({ amount, amountPaid }: PaymentView): number => amountPaid ?? amount;

const columns: readonly Column[] = [
  { pt: 'ID', en: 'ID', cell: ({ payment }) => payment.id },
  { pt: 'Criado em', en: 'Created at', cell: ({ payment, instant }) => instant(payment.createdAt) },
  { pt: 'Situação', en: 'Status', cell: ({ status }) => status },
  { pt: 'Valor (R$)', en: 'Amount (BRL)', cell: ({ payment, amount }) => amount(payment.amount) },
  { pt: 'Referência', en: 'Reference', cell: ({ payment }) => payment.externalId ?? '' },
  { pt: 'Descrição', en: 'Description', cell: ({ payment }) => payment.description ?? '' },
  { pt: 'Provedor', en: 'Provider', cell: ({ payment }) => payment.provider },
  { pt: 'Nome do pagador', en: 'Payer name', cell: ({ payment }) => payment.payerName ?? '' },
  { pt: 'CPF/CNPJ do pagador', en: 'Payer document', cell: ({ payment }) => payment.payerDocument ?? '' },
  { pt: 'E-mail do pagador', en: 'Payer e-mail', cell: ({ payment }) => payment.payerEmail ?? '' },
  {
    pt: 'Confirmado em',
    en: 'Confirmed at',
    cell: ({ payment, instant }) => (payment.confirmedAt === undefined ? '' : instant(payment.confirmedAt)),
  },
  { pt: 'Expira em', en: 'Expires at', cell: ({ payment, instant }) => instant(payment.expiresAt) },
  { pt: 'ID do Pix (EndToEndId)', en: 'End-to-end ID', cell: ({ payment }) => payment.endToEndId ?? '' },
  {
    pt: 'Estornado ou devolvido (R$)',
    en: 'Refunded or returned (BRL)',
    cell: ({ returned, amount }) => (returned === 0 ? '' : amount(returned)),
  },
  {
    pt: 'Líquido (R$)',
    en: 'Net (BRL)',
    cell: ({ payment, returned, amount }) =>
      payment.confirmedAt === undefined ? '' : amount(receivedOf(payment) - returned),
  },
  { pt: 'Credencial', en: 'Credential', cell: ({ credential }) => credential ?? '' },
  {
    pt: 'Vencimento',
    en: 'Due date',
    cell: ({ payment, day }) => (payment.due === undefined ? '' : day(payment.due.date)),
  },
  {
    pt: 'Valor pago (R$)',
    en: 'Amount paid (BRL)',
    cell: ({ payment, amount }) => (payment.confirmedAt === undefined ? '' : amount(receivedOf(payment))),
  },
  {
    pt: 'Endereço do pagador',
    en: 'Payer address',
    cell: ({ payment }) => (payment.payerAddress === undefined ? '' : addressLineOf(payment.payerAddress)),
  },
  { pt: 'ID da transação (txid)', en: 'Transaction ID (txid)', cell: ({ payment }) => payment.txid ?? '' },
  { pt: 'Pago por', en: 'Paid by', cell: ({ payment }) => payment.paidBy?.name ?? '' },
  {
    pt: 'CPF/CNPJ de quem pagou',
    en: 'Document of who paid',
    cell: ({ payment }) => payment.paidBy?.documentMasked ?? '',
  },
  {
    pt: 'Instituição de quem pagou',
    en: 'Institution of who paid',
    cell: ({ payment }) => {
      const { institution } = payment.paidBy ?? {};
      return institution?.name ?? institution?.ispb ?? '';
    },
  },
  {
    pt: 'Chave da nota fiscal',
    en: 'Invoice access key',
    cell: ({ payment }) => payment.fiscalDocument ?? '',
  },
  {
    pt: 'Cancelado em',
    en: 'Cancelled at',
    cell: ({ payment, instant }) => (payment.cancelledAt === undefined ? '' : instant(payment.cancelledAt)),
  },
];

/** An English file has the statuses of the API. */
const portugueseStatuses: Readonly<Record<string, string>> = {
  pending: 'Pendente',
  completed: 'Pago',
  expired: 'Expirado',
  cancelled: 'Cancelado',
  refunded: 'Estornado',
  failed: 'Falhou',
};

const fileNames: Record<PaymentExport['locale'], string> = { pt: 'pagamentos', en: 'payments' };

function lineOf(
  payment: PaymentView,
  credential: string | undefined,
  locale: PaymentExport['locale'],
  writing: CsvWriting,
): string {
  const { amountRefunded = 0, amountReversed = 0, status } = payment;
  const line: Line = {
    ...writing,
    payment,
    credential,
    returned: amountRefunded + amountReversed,
    status: locale === 'pt' ? (portugueseStatuses[status] ?? status) : status,
  };
  return csvLine(
    columns.map(({ cell }) => cell(line)),
    writing,
  );
}

export const parsePaymentExport = (query: unknown): PaymentExport => parseForm(exportSchema, query);

/** Contains the current date in Brasília. */
export const exportFileName = ({ locale, mode }: PaymentExport, now: Date): string =>
  `${fileNames[locale]}-${mode}-${fileDay(now)}.csv`;

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
    async *csv(caller, request) {
      assertMay(caller, 'payments:read');
      const { locale, organization: _, mode: __, ...wanted } = request;
      const showsPayers = may(caller, 'payers:read');
      const { search, payer, ...filter } = wanted;
      // What was searched for is not recorded, because it may be a payer's document.
      const details = {
        ...filter,
        ...(search !== undefined && { isSearch: true }),
        ...(payer !== undefined && { isOfPayer: true }),
        showsPayers,
      };
      await audit.record(db, caller, 'payment.export', null, details);
      const exporting: PersonCaller = { ...caller, isExporting: true };
      const writing = csvWritingIn(locale, await findTimeZone(db, caller.organizationId));
      let text =
        byteOrderMark +
        csvLine(
          columns.map((column) => column[locale]),
          writing,
        );
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
          lineOf(payment, names.get(used.get(payment.id) ?? ''), locale, writing),
        );
        yield text + lines.join('');
        text = '';
        cursor = nextCursor;
      } while (cursor !== undefined);
    },
  };
}
