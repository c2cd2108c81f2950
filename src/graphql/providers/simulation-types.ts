import { Field, Float, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'What a credential does for the payments of a simulation.',
  simpleResolvers: true,
})
class SimulatedShare {
  @Field(() => ID, { nullable: true, description: 'The credential; null for the sandbox without one.' })
  credentialId!: string | null;

  @Field(() => Int, { description: 'Payments whose charges it makes.' })
  payments!: number;

  @Field(() => Float, { description: 'What that is of all charges, from 0 to 1.' })
  share!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Attempts at which it makes no charge; null where too little is known of it.',
  })
  failures!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What it takes of those that were paid, in BRL; null where its fees are not known.',
  })
  fees!: number | null;
}

@ObjectType({ description: 'What becomes of the payments of a simulation.', simpleResolvers: true })
class SimulatedOutcome {
  @Field(() => [SimulatedShare], { description: 'By credential, the largest share first.' })
  shares!: SimulatedShare[];

  @Field(() => Int, { description: 'Payments for which no credential makes a charge.' })
  notCreated!: number;
}

@ObjectType({ description: 'Past payments as they were routed, and as rules would.', simpleResolvers: true })
export class RoutingSimulation {
  @Field(() => Int, { description: 'Payments of the period on which rules decide.' })
  payments!: number;

  @Field(() => Int, {
    description: 'Others of the period: they name their credential, are due on a day, or are debits.',
  })
  leftOut!: number;

  @Field(() => Int, { description: 'How many payments of either kind were looked at.' })
  sampled!: number;

  @Field(() => Boolean, { description: 'Whether those stand for more, so that the figures are estimates.' })
  isEstimate!: boolean;

  @Field(() => Boolean, { description: 'Whether they are so few that shares and failures are chance.' })
  isTooLittle!: boolean;

  @Field(() => SimulatedOutcome, { description: 'What happened.' })
  before!: SimulatedOutcome;

  @Field(() => SimulatedOutcome, { description: 'What would have happened by the rules.' })
  after!: SimulatedOutcome;
}
