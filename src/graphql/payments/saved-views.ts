import { Arg, Ctx, Field, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { savedViewSchema } from '../../core/reports/saved-views.ts';
import type { GraphqlContext } from '../base/context.ts';
import { descriptionsOf, forSignedInUsers } from '../base/descriptions.ts';

const view = descriptionsOf(savedViewSchema);

@ObjectType({
  description: "Filters of the dashboard's list of payments under a name.",
  simpleResolvers: true,
})
class SavedView {
  @Field(() => String, { description: view.name })
  name!: string;

  @Field(() => String, { description: view.query })
  query!: string;
}

@Resolver()
export class SavedViewResolver {
  @Query(() => [SavedView], {
    description: `The views that the signed-in user saved in this organization, by name. ${forSignedInUsers}`,
  })
  savedViews(@Ctx() { caller, services }: GraphqlContext): Promise<SavedView[]> {
    return services.savedViews.list(caller);
  }

  @Mutation(() => [SavedView], {
    description: `Saves a view of the signed-in user, in place of one with this name, and returns all of them. ${forSignedInUsers}`,
  })
  saveView(
    @Arg('name', () => String, { description: view.name }) name: string,
    @Arg('query', () => String, { description: view.query }) query: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<SavedView[]> {
    return services.savedViews.save(caller, { name, query });
  }

  @Mutation(() => Boolean, {
    description: `Deletes a view of the signed-in user; false when there is none of this name. ${forSignedInUsers}`,
  })
  deleteView(
    @Arg('name', () => String, { description: view.name }) name: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    return services.savedViews.remove(caller, name);
  }
}
