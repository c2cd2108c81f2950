import { registerEnumType } from 'type-graphql';
import { bookStates, differenceKinds } from '../../core/books/rules/books.ts';
import { bookProblemCodes } from '../../core/books/rules/problems.ts';
import { resolutions } from '../../core/books/rules/resolutions.ts';
import { differenceStates } from '../../core/books/differences.ts';

export const bookStateEnum = Object.fromEntries(bookStates.map((state) => [state, state]));

registerEnumType(bookStateEnum, {
  name: 'BookState',
  description: 'State of a day of the books.',
  valuesConfig: {
    open: { description: 'Not imported yet, not over yet, or with open differences.' },
    closed: { description: 'Bank and service agree, or what differs is settled.' },
    unavailable: { description: '`problem` says why the statement could not be read.' },
  },
});

export const bookProblemCodeEnum = Object.fromEntries(bookProblemCodes.map((code) => [code, code]));

registerEnumType(bookProblemCodeEnum, {
  name: 'BookProblemCode',
  description: 'Why a statement could not be read.',
  valuesConfig: {
    no_statement: { description: 'The provider lists nothing by day that could be compared.' },
    credential_unusable: { description: 'The settings of the credential cannot be used.' },
    request_failed: { description: 'The provider was not reached, or refused: `cause` says why.' },
    unreadable_items: { description: 'A page has too many items that cannot be read.' },
    listed_twice: { description: 'The statement lists a Pix twice.' },
    changed_meanwhile: { description: 'The statement changed while it was read.' },
  },
});

export const differenceKindEnum = Object.fromEntries(differenceKinds.map((kind) => [kind, kind]));

registerEnumType(differenceKindEnum, {
  name: 'DifferenceKind',
  description: "How a bank's statement and the service's records of a Pix disagree.",
  valuesConfig: {
    unmatched_pix: { description: 'Money without a payment.' },
    missing_pix: { description: 'A payment is recorded as paid, the bank lists no such Pix.' },
    amount_differs: { description: 'The Pix has another amount than the payment.' },
    unknown_reversal: { description: 'They disagree about how much of a Pix has left again.' },
    late: { description: 'The Pix arrived after its payment had ended.' },
    unreadable: { description: 'An item of the statement that could not be read: `detail` says what.' },
    duplicate: { description: 'A further Pix for a payment that was paid already.' },
    fee_differs: { description: 'The provider charged something else than the fees of the credential say.' },
  },
});

export const differenceStateEnum = Object.fromEntries(differenceStates.map((state) => [state, state]));

registerEnumType(differenceStateEnum, {
  name: 'DifferenceState',
  description: 'Whether a difference keeps its day open.',
  valuesConfig: {
    open: { description: 'It does.' },
    settled: { description: 'An owner settled it, or the service found its payment.' },
  },
});

export const resolutionEnum = Object.fromEntries(resolutions.map((resolution) => [resolution, resolution]));

registerEnumType(resolutionEnum, {
  name: 'Resolution',
  description: 'How a difference is settled.',
  valuesConfig: {
    explained: { description: 'By its reason alone.' },
    assigned: { description: 'The money was meant for a payment, which stays as it is.' },
    given_back: { description: 'The money was given back, which the statement does not list.' },
    matched: { description: 'By the service, which has found the payment of the money.' },
  },
});
