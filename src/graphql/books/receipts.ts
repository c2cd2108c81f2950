import { Arg, Ctx, Field, Float, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { receiptsSchema } from '../../core/books/receipts.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf, forSignedInUsers } from '../base/descriptions.ts';

const range = descriptionsOf(receiptsSchema);

const fees = {
  charged: 'What providers charged by the statements, in BRL; null where none tells.',
  expected: 'What the fees of the credentials say of the same Pix, in BRL; null where none had any.',
};

@ObjectType({ description: 'Sums of received money, in BRL.', simpleResolvers: true })
export class ReceiptSums {
  @Field(() => Int, { description: 'How many Pix came in.' })
  pixCount!: number;

  @Field(() => Float, { description: 'Amount received.' })
  gross!: number;

  @Field(() => Float, { description: 'Of these Pix: amount given back by refunds, here or at the provider.' })
  refunded!: number;

  @Field(() => Float, {
    description: 'Of these Pix: amount taken back by the special refund mechanism (MED) or chargebacks.',
  })
  reversed!: number;

  @Field(() => Float, { description: '`gross` without `refunded` and `reversed`.' })
  net!: number;
}

@ObjectType({ description: 'An account with a statement of a day.', simpleResolvers: true })
export class ReceiptStatement {
  @Field(() => ID, { nullable: true, description: 'Credential; null for the sandbox.' })
  credentialId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the credential; null for the sandbox.' })
  credentialName!: string | null;
}

@ObjectType({ description: 'What the statements of the providers say about a day.', simpleResolvers: true })
export class ReceiptBook {
  @Field(() => Boolean, { description: 'Whether the books of the day have no open differences.' })
  isClosed!: boolean;

  @Field(() => Float, { description: 'What came in that day, in BRL.' })
  received!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Without what left again, in BRL; null where a statement does not tell.',
  })
  net!: number | null;

  @Field(() => Float, {
    description: 'By how much it says more than was recorded of these accounts, in BRL.',
  })
  difference!: number;

  @Field(() => Float, { nullable: true, description: fees.charged })
  fee!: number | null;

  @Field(() => Float, { nullable: true, description: fees.expected })
  expectedFee!: number | null;

  @Field(() => [ReceiptStatement], { description: 'The accounts that these are.' })
  statements!: ReceiptStatement[];
}

@ObjectType({ description: 'Money received with a credential.', simpleResolvers: true })
export class ReceiptGroup extends ReceiptSums {
  @Field(() => String, { description: 'Provider that received it.' })
  provider!: string;

  @Field(() => ID, { nullable: true, description: 'Credential; null for the sandbox without one.' })
  credentialId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of that credential; null without one.' })
  credentialName!: string | null;

  @Field(() => Float, { nullable: true, description: fees.charged })
  fee!: number | null;

  @Field(() => Float, { nullable: true, description: fees.expected })
  expectedFee!: number | null;
}

@ObjectType({ description: 'Money received on a day.', simpleResolvers: true })
export class ReceiptDay extends ReceiptSums {
  @Field(() => String, { description: 'The day, such as `2026-11-21`.' })
  date!: string;

  @Field(() => [ReceiptGroup], { description: 'By credential, the largest first.' })
  groups!: ReceiptGroup[];

  @Field(() => ReceiptBook, {
    nullable: true,
    description: 'The books of the day; null without a statement, and where days are not those of Brasília.',
  })
  book!: ReceiptBook | null;
}

@ObjectType({ description: 'Money received in a period.', simpleResolvers: true })
export class ReceiptsType {
  @Field(() => ReceiptSums, { description: 'Of the whole period.' })
  total!: ReceiptSums;

  @Field(() => [ReceiptGroup], { description: 'Of the whole period by credential, the largest first.' })
  groups!: ReceiptGroup[];

  @Field(() => [ReceiptDay], { description: 'Newest first, without days on which nothing was received.' })
  days!: ReceiptDay[];

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Pix from before are still being added after an upgrade; null once all are.',
  })
  since!: Date | null;
}

@Resolver()
export class ReceiptResolver {
  @Query(() => ReceiptsType, {
    description: `Money received, by the day of the Pix. What left again counts on the day of its Pix, as in the books. ${forSignedInUsers}`,
  })
  receipts(
    @Arg('from', () => String, { description: range.from }) from: string,
    @Arg('to', () => String, { description: range.to }) to: string,
    @Arg('timeZone', () => String, { nullable: true, description: range.timeZone })
    timeZone: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ReceiptsType> {
    return services.receipts.sumByDay(caller, { from, to, timeZone });
  }
}
