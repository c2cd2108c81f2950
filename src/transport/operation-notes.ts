export interface Failure {
  statusCode: number;
  code: string;
}

/** The first error in an operation's response that is not the caller's, of which the status of the response says nothing. */
export function failureIn({ errors = [] }: OperationNotes): Failure | undefined {
  for (const { extensions } of errors) {
    const { statusCode = 0, reason } = (extensions ?? {}) as { statusCode?: number; reason?: string };
    if (statusCode >= 500) return { statusCode, code: reason ?? 'internal_error' };
  }
  return undefined;
}

/** What GraphQL notes about an operation while it runs, for whoever follows the requests of its key. */
export interface OperationNotes {
  /** Has them as they were sent. */
  errors?: readonly { message: string; extensions?: object }[];
  idempotencyKey?: 'sent' | 'replayed';
}
