import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils';

const statement = (sql: string) => ({ sql, args: [], argTypes: [] });

async function giveUp(transaction: Transaction): Promise<void> {
  await transaction.executeRaw(statement('ROLLBACK')).catch(() => undefined);
  await transaction.rollback();
}

/** Behind a pooler nobody owns a session, so settings are made for each transaction and end with it. */
export function setInTransactions(
  adapter: SqlDriverAdapter,
  settings: Readonly<Record<string, string | number>>,
): void {
  const startTransaction = adapter.startTransaction.bind(adapter);
  const sets = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await startTransaction(isolationLevel);
    try {
      // Without a name and values, node-postgres sends several statements as one.
      await transaction.executeRaw(statement(sets.join('; ')));
      return transaction;
    } catch (error) {
      await giveUp(transaction);
      throw error;
    }
  };
}

/** Takes three more round trips per query, which only heavy ones are worth. */
export function queryInTransactions(adapter: SqlDriverAdapter): void {
  adapter.queryRaw = async (query) => {
    const transaction = await adapter.startTransaction();
    try {
      const result = await transaction.queryRaw(query);
      await transaction.executeRaw(statement('COMMIT'));
      await transaction.commit();
      return result;
    } catch (error) {
      await giveUp(transaction);
      throw error;
    }
  };
}
