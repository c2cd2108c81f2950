import {
  Arg,
  Ctx,
  Field,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import type { AlertKind } from '../../core/health/rules/conditions.ts';
import type { GraphqlContext } from '../base/context.ts';
import { conditionKindEnum } from './attention-types.ts';

const languageEnum = { pt: 'pt', en: 'en' } as const;

registerEnumType(languageEnum, {
  name: 'Language',
  description: 'Language of e-mails.',
  valuesConfig: { pt: { description: 'In Portuguese.' }, en: { description: 'In English.' } },
});

@ObjectType({ description: 'Which alerts the signed-in person gets by e-mail.', simpleResolvers: true })
class AlertPreferences {
  @Field(() => [conditionKindEnum], { description: 'Kinds of alerts of live mode.' })
  kinds!: AlertKind[];

  @Field(() => Boolean, {
    description: 'Whether the service has a mail server; without one nothing is sent.',
  })
  sendsEmail!: boolean;
}

@InputType({ description: 'Which alerts to get by e-mail.' })
class AlertPreferencesInput {
  @Field(() => [conditionKindEnum], { description: 'All kinds wanted; an empty list for none.' })
  kinds!: AlertKind[];

  @Field(() => languageEnum, { description: 'Language to write in.' })
  language!: keyof typeof languageEnum;
}

@Resolver()
export class AlertPreferencesResolver {
  @Query(() => AlertPreferences, {
    description: 'Which alerts of the organization the signed-in person gets by e-mail.',
  })
  alertPreferences(@Ctx() { caller, services }: GraphqlContext): Promise<AlertPreferences> {
    return services.alertPreferences.get(caller);
  }

  @Mutation(() => AlertPreferences, {
    description: 'Chooses which alerts of the organization the signed-in person gets by e-mail.',
  })
  setAlertPreferences(
    @Arg('input', () => AlertPreferencesInput, { description: 'What to get from now on.' })
    input: AlertPreferencesInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<AlertPreferences> {
    return services.alertPreferences.set(caller, input);
  }
}
