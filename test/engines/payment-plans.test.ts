import { afterAll } from '@jest/globals';
import { applyMigrations } from '../../src/database/migrations/migrations.ts';
import { describeWith } from '../support/engines.ts';
import { testPaymentPlans } from '../support/payment-plans.ts';
import { type ArchivingPostgres, startArchivingPostgres } from '../support/postgres-backup.ts';

// The planner and the executor of an older release: an index scan ends elsewhere.
describeWith(['pg_basebackup'], "on Debian's PostgreSQL", () => {
  let postgres: ArchivingPostgres;
  // Registered first, it is called last.
  afterAll(() => postgres.stop());

  testPaymentPlans(async () => {
    postgres = await startArchivingPostgres();
    await applyMigrations(postgres.url);
    return postgres.url;
  });
});
