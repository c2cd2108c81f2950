import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { BookState, DifferenceKind } from '../../core/books/rules/books.ts';
import type { BookProblemCode } from '../../core/books/rules/problems.ts';
import type { CheckReason } from '../../core/providers/rules/check-reasons.ts';
import type { Resolution } from '../../core/books/rules/resolutions.ts';
import { settleDifferenceSchema, settleDifferencesSchema } from '../../core/books/differences.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { checkReasonEnum } from '../providers/credential-check.ts';
import {
  bookProblemCodeEnum,
  bookStateEnum,
  differenceKindEnum,
  differenceStateEnum,
  resolutionEnum,
} from './book-enums.ts';

const settlement = descriptionsOf(settleDifferenceSchema);
const joint = descriptionsOf(settleDifferencesSchema);

@ObjectType({
  description: 'Why a statement could not be read, as a code with its parameters.',
  simpleResolvers: true,
})
class BookProblem {
  @Field(() => bookProblemCodeEnum, { description: 'What the problem is.' })
  code!: BookProblemCode;

  @Field(() => checkReasonEnum, { nullable: true, description: 'Why a request failed.' })
  cause?: CheckReason;

  @Field(() => Int, { nullable: true, description: 'How many items of a page could not be read.' })
  itemCount?: number;

  @Field(() => [String], { nullable: true, description: 'What of these items could not be read.' })
  members?: readonly string[];
}

@ObjectType({ description: 'A day of an account, as its bank has it.', simpleResolvers: true })
export class BookDay {
  @Field(() => ID, {
    nullable: true,
    description: 'Credential whose statement it is; null for the sandbox, in test mode.',
  })
  credentialId!: string | null;

  @Field(() => String, { description: "The account's provider." })
  provider!: string;

  @Field(() => String, { description: 'The day in Brasília, for example 2026-11-21.' })
  date!: string;

  @Field(() => bookStateEnum, { description: 'Whether both sides agree.' })
  state!: BookState;

  @Field(() => String, { nullable: true, description: 'Why the statement could not be read, in English.' })
  problem!: string | null;

  @Field(() => BookProblem, {
    nullable: true,
    description: 'The same for programs; null if an older version of the service recorded it.',
  })
  problemReason!: BookProblem | null;

  @Field(() => Float, { description: 'Amount received that day, in BRL.' })
  received!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'What of it was given back since, in BRL; null where the statement does not tell.',
  })
  refunded!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What of it was taken back since, in BRL; null like `refunded`.',
  })
  reversed!: number | null;

  @Field(() => Float, { nullable: true, description: '`received` less both; null like `refunded`.' })
  net!: number | null;

  @Field(() => Float, { nullable: true, description: 'What the provider charged, in BRL, where it tells.' })
  fee!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'What it should have charged by the fees of the credential, in BRL; `null` before any were given.',
  })
  expectedFee!: number | null;

  @Field(() => Int, { description: 'Number of Pix received.' })
  pixCount!: number;

  @Field(() => Float, { description: "Amount received by the service's records, in BRL." })
  ownReceived!: number;

  @Field(() => Float, { description: "What of it has left again by the service's records, in BRL." })
  ownReturned!: number;

  @Field(() => Int, { description: "Number of Pix by the service's records." })
  ownPixCount!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the statement was last imported.' })
  importedAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether the statement is being imported, or about to be.' })
  importing!: boolean;

  @Field(() => Int, { description: 'Number of differences that keep the day open.' })
  openDifferences!: number;

  @Field(() => Int, { description: 'Number of differences that were settled.' })
  settledDifferences!: number;
}

@ObjectType({ description: 'Differences that keep days of the books open.', simpleResolvers: true })
export class OpenDifferences {
  @Field(() => Int, { description: 'How many there are, on the 100 oldest open days.' })
  count!: number;

  @Field(() => Boolean, { description: 'Whether later days have more.' })
  isAtLeast!: boolean;

  @Field(() => String, { description: 'The oldest open day, in Brasília.' })
  date!: string;

  @Field(() => ID, { nullable: true, description: 'Credential whose day that is; null for the sandbox.' })
  credentialId!: string | null;
}

/** Who settled a difference, when and why. */
@ObjectType({ simpleResolvers: true })
class SettlementFields {
  @Field(() => String, { description: 'The reason given.' })
  reason!: string;

  @Field(() => String, { description: 'E-mail address of the user who settled it, or `operator`.' })
  settledBy!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was settled.' })
  settledAt!: Date;
}

@ObjectType({ description: 'How a difference was settled.', simpleResolvers: true })
class DifferenceSettlement extends SettlementFields {
  @Field(() => resolutionEnum, { description: 'What was decided.' })
  resolution!: Resolution;

  @Field(() => ID, { nullable: true, description: 'Payment that the money was meant for.' })
  paymentId!: string | null;
}

@ObjectType({
  description: 'Where a statement and the records of the service disagree, or a person has to decide.',
  simpleResolvers: true,
})
export class Difference {
  @Field(() => ID, { description: 'Unique difference id.' })
  id!: string;

  @Field(() => ID, { nullable: true, description: 'Credential whose day it is in; null for the sandbox.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'Day of the Pix, in Brasília.' })
  date!: string;

  @Field(() => differenceKindEnum, { description: 'What differs.' })
  kind!: DifferenceKind;

  @Field(() => differenceStateEnum, { description: 'Whether it is settled.' })
  state!: 'open' | 'settled';

  @Field(() => String, { nullable: true, description: 'End-to-end id of the Pix.' })
  endToEndId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Payment of the Pix, where there is one.' })
  paymentId!: string | null;

  @Field(() => Float, { nullable: true, description: 'The amount as the bank has it, in BRL.' })
  amount!: number | null;

  @Field(() => Float, { nullable: true, description: 'The amount as the service has it, in BRL.' })
  ownAmount!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What of money without a payment has left again, in BRL, where the statement tells.',
  })
  returned!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'What of an unreadable item could not be read, in English.',
  })
  detail!: string | null;

  @Field(() => [String], { description: 'The members of an unreadable item that could not be read.' })
  unreadableMembers!: string[];

  @Field(() => GraphQLDateTime, { description: 'When it was found.' })
  foundAt!: Date;

  @Field(() => [resolutionEnum], { description: 'The ways to settle it.' })
  resolutions!: Resolution[];

  @Field(() => DifferenceSettlement, { nullable: true, description: 'How it was settled; null while open.' })
  settlement!: DifferenceSettlement | null;
}

@ObjectType({
  description: 'Money without a charge that was assigned to a payment in the books.',
  simpleResolvers: true,
})
export class AssignedPix extends SettlementFields {
  @Field(() => ID, { nullable: true, description: 'Credential that received it; null for the sandbox.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'Its day in the books.' })
  date!: string;

  @Field(() => String, { nullable: true, description: 'Its end-to-end id.' })
  endToEndId!: string | null;

  @Field(() => Float, { description: 'Its amount, in BRL.' })
  amount!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'What of it has left again, in BRL; null where the statement does not tell.',
  })
  returned!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When it was received.' })
  receivedAt!: Date;
}

@InputType({ description: 'How to settle a difference.' })
export class SettleDifferenceInput {
  @Field(() => ID, { description: settlement.id })
  id!: string;

  @Field(() => resolutionEnum, { description: settlement.resolution })
  resolution!: Resolution;

  @Field(() => String, { description: settlement.reason })
  reason!: string;

  @Field(() => ID, { nullable: true, description: settlement.paymentId })
  paymentId?: string;
}

@InputType({ description: 'How to settle several differences.' })
export class SettleDifferencesInput {
  @Field(() => [ID], { description: joint.ids })
  ids!: string[];

  @Field(() => resolutionEnum, { description: joint.resolution })
  resolution!: Resolution;

  @Field(() => String, { description: joint.reason })
  reason!: string;
}

@ObjectType({ description: 'What became of one of several differences.', simpleResolvers: true })
export class SettledDifference {
  @Field(() => ID, { description: 'The id that was given.' })
  id!: string;

  @Field(() => Difference, { nullable: true, description: 'The difference; null where it was refused.' })
  difference!: Difference | null;

  @Field(() => String, { nullable: true, description: 'Code of the error, where it was refused.' })
  code!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused, in English.' })
  message!: string | null;
}

export const BookDayConnection = connectionType(BookDay, {
  name: 'BookDay',
  nouns: 'days of the books',
  order: 'newest first',
});

export const DifferenceConnection = connectionType(Difference, {
  name: 'Difference',
  nouns: 'differences',
  order: 'newest day first',
});
