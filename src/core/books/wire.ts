import type { AuditServices } from '../audit/wire.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createBookExport } from './book-export.ts';
import { createBookWatch } from './book-watch.ts';
import { createBooks } from './books.ts';
import { createDifferences } from './differences.ts';
import { createReceiptExport } from './receipt-export.ts';
import { createReceiptRollUp } from './receipt-roll-up.ts';
import { createReceipts } from './receipts.ts';
import { createStatementImport } from './statement-import.ts';
import { type BookUnmatchedPix, createUnmatchedPix } from './unmatched-pix.ts';

export type BookServices = ReturnType<typeof wireBooks>;

type Needs = AuditServices & ProviderServices & SettlementServices & { unmatchedPix: BookUnmatchedPix };

/** Wired before what it hears from. */
export const wireUnmatchedPix = (base: Base) => ({ unmatchedPix: createUnmatchedPix(base) });

export function wireBooks(base: Base & Needs, sandbox: SandboxAccount) {
  const receipts = createReceipts(base);
  return {
    books: createBooks(base),
    bookExport: createBookExport(base),
    bookWatch: createBookWatch(base),
    differences: createDifferences(base),
    statementImport: createStatementImport({ ...base, sandbox }),
    receipts,
    receiptExport: createReceiptExport({ receipts }),
    receiptRollUp: createReceiptRollUp(base),
  };
}
