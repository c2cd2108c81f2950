import { z } from 'zod';
import { wordsOfAction, wordsOfActor } from './rules/audit-words.ts';
import { isUuid } from '../base/ids.ts';
import type { JsonObject } from '../base/json/json-object.ts';
import type { Database } from '../../database/database.ts';
import { findTimeZone } from '../people/store/organization-profiles.ts';
import { assertMay, type PersonCaller } from '../base/caller.ts';
import { instantSchema, parseForm } from '../base/parsing/parse.ts';
import { byteOrderMark, type Cell, csvLine } from '../base/csv/csv.ts';
import {
  type CsvLocale,
  csvLocales,
  type CsvWriting,
  csvWritingIn,
  fileDay,
} from '../base/csv/csv-writing.ts';
import { withRetries } from '../base/pacing/with-retries.ts';
import type { AuditEntryView, AuditService } from './audit.ts';
import { auditFilterSchema } from './audit-filter.ts';

const organizationRule = 'must be the id of an organization';
const instant = instantSchema.transform((text) => new Date(text)).optional();
const exportSchema = auditFilterSchema.extend({
  organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
  /** The mode of the page that links to the file. The log has entries of both modes. */
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }).default('live'),
  locale: z.enum(csvLocales, { error: 'must be pt or en' }),
  from: instant,
  to: instant,
});

export type AuditExport = z.output<typeof exportSchema>;

export const parseAuditExport = (query: unknown): AuditExport => parseForm(exportSchema, query);

const names: Record<CsvLocale, string> = { pt: 'auditoria', en: 'audit-log' };

/** Contains the current date in Brasília. */
export const auditFileName = ({ locale }: AuditExport, now: Date): string =>
  `${names[locale]}-${fileDay(now)}.csv`;

const headers: Record<CsvLocale, readonly string[]> = {
  pt: ['ID', 'Quando', 'Quem', 'ID de quem', 'Ação', 'Nome da ação', 'ID do objeto', 'Modo', 'Detalhes'],
  en: ['ID', 'When', 'Who', 'Actor ID', 'Action', 'Action name', 'Subject ID', 'Mode', 'Details'],
};

const modes: Record<CsvLocale, Readonly<Record<string, string>>> = {
  pt: { test: 'Teste', live: 'Produção' },
  en: { test: 'Test', live: 'Live' },
};

function cellsOf(entry: AuditEntryView, locale: CsvLocale, writing: CsvWriting): Cell[] {
  const { mode, ...details }: JsonObject = { ...entry.details };
  return [
    entry.id,
    writing.instant(entry.at.toISOString()),
    wordsOfActor(entry, locale),
    entry.userId ?? entry.apiKeyId ?? '',
    wordsOfAction(entry.action, locale),
    entry.action,
    entry.subject ?? '',
    typeof mode === 'string' ? (modes[locale][mode] ?? mode) : '',
    Object.keys(details).length === 0 ? '' : JSON.stringify(details),
  ];
}

export interface AuditExportService {
  /**
   * Yields the file in chunks, newest entry first, reading each when the previous one was taken. The export is
   * recorded in the log first.
   */
  csv(caller: PersonCaller, wanted: AuditExport): AsyncGenerator<string>;
}

interface Dependencies {
  db: Database;
  audit: Pick<AuditService, 'record' | 'list'>;
}

const pageSize = 100;

export function createAuditExport({ db, audit }: Dependencies): AuditExportService {
  return {
    async *csv(caller, wanted) {
      assertMay(caller, 'audit:read');
      const { locale, organization: _, mode: __, ...filter } = wanted;
      const { from, to, ...others } = filter;
      await audit.record(db, caller, 'audit.export', null, {
        ...others,
        from: from?.toISOString(),
        to: to?.toISOString(),
      });
      const writing = csvWritingIn(locale, await findTimeZone(db, caller.organizationId));
      let text = byteOrderMark + csvLine(headers[locale], writing);
      let cursor: string | undefined;
      do {
        const query = { ...filter, limit: pageSize, cursor };
        const readPage = () => audit.list(caller, query);
        // After the first chunk a failure would truncate the file.
        const { data, nextCursor } = await (cursor === undefined ? readPage() : withRetries(readPage));
        const lines = data.map((entry) => csvLine(cellsOf(entry, locale, writing), writing));
        yield text + lines.join('');
        text = '';
        cursor = nextCursor;
      } while (cursor !== undefined);
    },
  };
}
