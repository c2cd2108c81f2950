import pg from 'pg';
import { leadsToPooler } from './database-url.ts';
import { createPrimary, readOnlyError } from './primary.ts';

/** PostgreSQL sends these before it ends a connection, or when it is no longer the primary. */
const leavingStates = ['25006', '57P01', '57P02', '57P03'];

const reportedStates = ['in_hot_standby', 'default_transaction_read_only'];

/**
 * Makes connections of a pool that lead to the primary among the URL's hosts, and refuse any other server unless a standby is
 * meant.
 */
export function createPrimaryClient(databaseUrl: string, isStandbyMeant: boolean) {
  const primary = createPrimary(databaseUrl);
  // A pooled session reports what some other session was told.
  const canReport = !isStandbyMeant && !leadsToPooler(databaseUrl);

  return class PrimaryClient extends pg.Client {
    #url = databaseUrl;
    readonly #readOnly = new Set<string>();
    #isLeaving = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      // A connection that ends while opening has no other listener yet, which would crash the process.
      this.on('error', () => undefined);
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code !== undefined && leavingStates.includes(code)) this.leave();
      });
      // Reported since PostgreSQL 14: https://www.postgresql.org/docs/14/runtime-config-preset.html
      this.connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }: Parameter) => {
        if (!canReport || !reportedStates.includes(name)) return;
        if (value === 'on') this.#readOnly.add(name);
        else this.#readOnly.delete(name);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const opened = this.#open();
      if (!callback) return opened;
      opened.then(() => {
        (callback as (error?: Error) => void)();
      }, callback);
      return undefined;
    }

    /** The connection must not be used again, nor its server without another look. */
    leave(): void {
      this.#isLeaving = true;
      primary.forget(this.#url);
    }

    /** Whether the next user would meet what this one has met or left behind. */
    isSpent(): boolean {
      return this.#isLeaving || this.getTransactionStatus() !== 'I';
    }

    serverUrl(): string {
      return this.#url;
    }

    /** Whoever waits for an answer learns that the connection is lost. */
    breakOff(): void {
      this.leave();
      this.connection.stream.destroy();
    }

    async #open(): Promise<pg.Client> {
      this.#url = await primary.find();
      if (this.#url !== databaseUrl) {
        const { host, port } = new pg.Client({ connectionString: this.#url });
        Object.assign(this, { host, port });
      }
      try {
        await super.connect();
        if (this.#readOnly.size === 0) return this;
        await this.end();
      } catch (error) {
        primary.forget(this.#url);
        throw error;
      }
      primary.forget(this.#url);
      throw readOnlyError();
    }
  };
}

interface Parameter {
  parameterName: string;
  parameterValue: string;
}
