import type { AuditServices } from '../audit/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createDatabaseCopies } from './database-copies.ts';
import { createRestoreCheck } from './restore-check.ts';

export function wireRestore(base: Base & AuditServices & ProviderServices & SettlementServices) {
  const databaseCopies = createDatabaseCopies(base);
  return { databaseCopies, restoreCheck: createRestoreCheck({ ...base, copies: databaseCopies }) };
}
