/** What GraphQL notes about an operation while it runs, for whoever follows the requests of its key. */
export interface OperationNotes {
  /** Has them as they were sent. */
  errors?: readonly { message: string; extensions?: object }[];
  idempotencyKey?: 'sent' | 'replayed';
}
