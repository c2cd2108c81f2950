import type { Queryable } from '../../../database/database.ts';
import type { NamedPix, StatementPix } from '../../providers/rules/psp-lists.ts';

/** Money without a payment, told of as soon as it is known. The books keep it, with one row for each Pix. */
export interface UnmatchedPix {
  /** Those that are of no payment, and that the books do not have yet. */
  newAmong<Pix extends NamedPix>(credentialId: string, pix: readonly Pix[]): Promise<Pix[]>;
  /** Tells of those that the provider says it received, once each, as far as they are still new. */
  tell(credentialId: string, pix: readonly StatementPix[]): Promise<void>;
  /** `tell` for the sandbox of an organization. */
  tellOfSandbox(organizationId: string, pix: StatementPix): Promise<void>;
  /** Closes the row of a Pix whose payment turned up later. */
  close(
    tx: Queryable,
    pix: { organizationId: string; endToEndId: string; paymentId: string; at: Date },
  ): Promise<void>;
}
