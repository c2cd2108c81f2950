import { Arg, Ctx, Float, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RuleSetView } from '../../services/providers/rule-sets.ts';
import type { GraphqlContext } from '../context.ts';
import { CreateRuleSetInput, RoutingStep, RuleSetInfo, UpdateRuleSetInput } from './rule-set-types.ts';

const infoOf = ({ warnings, fallbackCredentialIds, ...ruleSet }: RuleSetView): RuleSetInfo => ({
  ...ruleSet,
  fallbackCredentialIds: [...fallbackCredentialIds],
  findings: warnings.map(({ message }) => message),
});

@Resolver()
export class RuleSetResolver {
  @Query(() => [RuleSetInfo], { description: 'The rule sets.' })
  async ruleSets(@Ctx() { answer, caller, ruleSets }: GraphqlContext): Promise<RuleSetInfo[]> {
    return (await answer.readAll(() => ruleSets.list(caller))).map(infoOf);
  }

  @Query(() => [RoutingStep], { description: 'Where an amount would go, in the order of the tries.' })
  async explainRuleSet(
    @Arg('id', () => ID, { description: 'Rule set id.' }) id: string,
    @Arg('amount', () => Float, { description: 'In BRL.' }) amount: number,
    @Ctx() { caller, ruleSets }: GraphqlContext,
  ): Promise<RoutingStep[]> {
    return (await ruleSets.explain(caller, id, amount)).candidates;
  }

  @Mutation(() => RuleSetInfo, { description: 'Adds a rule set. For developers.' })
  async createRuleSet(
    @Arg('input', () => CreateRuleSetInput, { description: 'The rule set.' })
    { name, ...rules }: CreateRuleSetInput,
    @Ctx() { caller, ruleSets }: GraphqlContext,
  ): Promise<RuleSetInfo> {
    return infoOf(await ruleSets.create(caller, name, rules));
  }

  @Mutation(() => RuleSetInfo, { description: 'Replaces name and rules of a rule set. For developers.' })
  async updateRuleSet(
    @Arg('id', () => ID, { description: 'Rule set id.' }) id: string,
    @Arg('input', () => UpdateRuleSetInput, { description: 'The rule set as it becomes.' })
    { name, ...rules }: UpdateRuleSetInput,
    @Ctx() { caller, ruleSets }: GraphqlContext,
  ): Promise<RuleSetInfo> {
    return infoOf(await ruleSets.update(caller, id, { name, rules }));
  }
}
