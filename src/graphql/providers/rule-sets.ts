import { GraphQLDateTime } from '../base/date-time.ts';
import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';
import type { RuleSetView } from '../../core/routing/rule-sets.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import {
  CreateRuleSetInput,
  RoutingRulesInput,
  RoutingStep,
  RuleSetInfo,
  RuleSetUse,
  UpdateRuleSetInput,
} from './rule-set-types.ts';
import { RoutingSimulation } from './simulation-types.ts';

function infoOf({ warnings, fallbackCredentialIds, ...ruleSet }: RuleSetView): RuleSetInfo {
  const messages = warnings.map(({ message }) => message);
  return {
    ...ruleSet,
    fallbackCredentialIds: [...fallbackCredentialIds],
    warnings: messages,
    findings: messages,
  };
}

@Resolver()
export class RuleSetResolver {
  @Query(() => [RuleSetInfo], { description: 'Rule sets of the organization.' })
  async ruleSets(@Ctx() { reader, caller, services }: GraphqlContext): Promise<RuleSetInfo[]> {
    return (await reader.readAll(() => services.ruleSets.list(caller))).map(infoOf);
  }

  @Query(() => [RoutingStep], { description: 'Credentials that would be tried for an amount, in order.' })
  async explainRuleSet(
    @IdOf('Rule set') id: string,
    @Arg('amount', () => Float, { description: 'Amount of the payment, in BRL.' }) amount: number,
    @Arg('at', () => GraphQLDateTime, { nullable: true, description: 'When it is made. Defaults to now.' })
    at: Date | null,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RoutingStep[]> {
    return (await services.ruleSets.explain(caller, id, amount, at ?? undefined)).candidates;
  }

  @Query(() => RoutingSimulation, {
    description:
      'What rules, stored or not, would have done with the payments created in a period of at most 92 days.',
  })
  simulateRouting(
    @Arg('rules', () => RoutingRulesInput, { description: 'The rules to try.' }) rules: RoutingRulesInput,
    @Arg('from', () => GraphQLDateTime, {
      description: 'When the first of the payments may have been created.',
    })
    from: Date,
    @Arg('to', () => GraphQLDateTime, { description: 'Before when the last one was created.' }) to: Date,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RoutingSimulation> {
    return services.routingSimulation.simulate(caller, { ...rules }, from, to);
  }

  @Mutation(() => RuleSetInfo, { description: 'Creates a rule set. Developers and owners only.' })
  async createRuleSet(
    @Arg('input', () => CreateRuleSetInput, { description: 'The rule set to create.' })
    { name, ...rules }: CreateRuleSetInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RuleSetInfo> {
    return infoOf(await services.ruleSets.create(caller, name, rules));
  }

  @Mutation(() => RuleSetInfo, {
    description: 'Replaces the name and rules of a rule set. Developers and owners only.',
  })
  async updateRuleSet(
    @IdOf('Rule set') id: string,
    @Arg('input', () => UpdateRuleSetInput, { description: 'The new rule set.' })
    { name, ...rules }: UpdateRuleSetInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RuleSetInfo> {
    return infoOf(await services.ruleSets.update(caller, id, { name, rules }));
  }

  @Query(() => RuleSetUse, {
    description: 'What keeps a rule set from being deleted. Developers and owners only.',
  })
  async ruleSetUse(
    @IdOf('Rule set') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RuleSetUse> {
    const { defaultIn, paymentLinks } = await services.ruleSets.findUse(caller, id);
    const newest = paymentLinks.slice(0, 10).map((link) => ({ ...link, isTest: link.mode === 'test' }));
    return { defaultIn, paymentLinkCount: paymentLinks.length, paymentLinks: newest };
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a rule set for good: payments keep the credentials tried for them. Not while it is the default of a mode or an active payment link names it. Developers and owners only; may need approval.',
  })
  async deleteRuleSet(
    @IdOf('Rule set') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.ruleSets.delete(caller, id);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      'Makes a rule set the default: payments in this mode that name neither credential nor rule set follow it. Developers and owners only; in live mode it may need approval.',
  })
  async setDefaultRuleSet(
    @IdOf('Rule set') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.ruleSets.setDefault(caller, id);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      'Leaves this mode without a default rule set: such payments go to the default credential again. Developers and owners only; in live mode it may need approval.',
  })
  async clearDefaultRuleSet(@Ctx() { caller, services }: GraphqlContext): Promise<boolean> {
    await services.ruleSets.setDefault(caller, null);
    return true;
  }
}
