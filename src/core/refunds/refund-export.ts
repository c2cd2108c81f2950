import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import { assertMay, type PersonCaller } from '../base/caller.ts';
import { byteOrderMark, csvLine } from '../base/csv/csv.ts';
import { type CsvLocale, csvLocales, csvWritingIn, fileDay } from '../base/csv/csv-writing.ts';
import { isUuid } from '../base/ids.ts';
import { withRetries } from '../base/pacing/with-retries.ts';
import { parseForm } from '../base/parsing/parse.ts';
import { findTimeZone } from '../people/store/organization-profiles.ts';
import type { RefundLists } from './refund-lists.ts';
import type { RefundStatus } from './rules/refund.ts';
import { listRequesters } from './store/refund-lists.ts';
import { listRefundTexts } from './store/refunds.ts';
import { listAllRefundsSchema } from './views/refund-list-input.ts';

const organizationRule = 'must be the id of an organization';
const exportSchema = listAllRefundsSchema.omit({ limit: true, cursor: true }).extend({
  organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }),
  locale: z.enum(csvLocales, { error: 'must be pt or en' }),
});

export type RefundExport = z.output<typeof exportSchema>;

export const parseRefundExport = (query: unknown): RefundExport => parseForm(exportSchema, query);

const names: Record<CsvLocale, string> = { pt: 'estornos', en: 'refunds' };

/** Contains the current date in Brasília. */
export const refundFileName = ({ locale, mode }: RefundExport, now: Date): string =>
  `${names[locale]}-${mode}-${fileDay(now)}.csv`;

const headers: Record<CsvLocale, readonly string[]> = {
  pt: [
    'ID',
    'Solicitado em',
    'Situação',
    'Valor (R$)',
    'Referência',
    'ID do pagamento',
    'Motivo',
    'Solicitado por',
  ],
  en: ['ID', 'Requested at', 'Status', 'Amount (BRL)', 'Reference', 'Payment ID', 'Reason', 'Requested by'],
};

/** An English file has the statuses of the API. */
const portugueseStatuses: Record<RefundStatus, string> = {
  pending: 'Em andamento',
  completed: 'Concluído',
  failed: 'Não realizado',
};

export interface RefundExportService {
  /** Yields the file in chunks, newest refund first, reading each when the previous one was taken. It names no payers. */
  csv(caller: PersonCaller, wanted: RefundExport): AsyncGenerator<string>;
}

interface Dependencies {
  db: Database;
  refundLists: Pick<RefundLists, 'list'>;
}

const pageSize = 100;

export function createRefundExport({ db, refundLists }: Dependencies): RefundExportService {
  return {
    async *csv(caller, wanted) {
      assertMay(caller, 'payments:investigate');
      const { locale, organization: _, mode: __, ...filter } = wanted;
      const writing = csvWritingIn(locale, await findTimeZone(db, caller.organizationId));
      let text = byteOrderMark + csvLine(headers[locale], writing);
      let cursor: string | undefined;
      const readPage = async () => {
        const { data, nextCursor } = await refundLists.list(caller, { ...filter, limit: pageSize, cursor });
        const ids = data.map(({ id }) => id);
        const [texts, requesters] = await Promise.all([listRefundTexts(db, ids), listRequesters(db, ids)]);
        const references = new Map(texts.map(({ id, externalId }) => [id, externalId]));
        const lines = data.map((refund, index) => [
          refund.id,
          writing.instant(refund.createdAt),
          locale === 'pt' ? portugueseStatuses[refund.status] : refund.status,
          writing.amount(refund.amount),
          references.get(refund.id) ?? '',
          refund.paymentId,
          refund.reason ?? '',
          requesters[index] ?? 'operator',
        ]);
        return { lines, nextCursor };
      };
      do {
        // After the first chunk a failure would truncate the file.
        const { lines, nextCursor } = await (cursor === undefined ? readPage() : withRetries(readPage));
        yield text + lines.map((cells) => csvLine(cells, writing)).join('');
        text = '';
        cursor = nextCursor;
      } while (cursor !== undefined);
    },
  };
}
