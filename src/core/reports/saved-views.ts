import { z } from 'zod';
import { badRequest, ServiceError } from '../base/errors.ts';
import { breaks, broken, problem } from '../base/problems/rules.ts';
import { isAtMost, isStorableText } from '../base/text.ts';
import type { Database } from '../../database/database.ts';
import {
  deleteView,
  listSavedViews,
  lockMember,
  type MemberKey,
  type SavedView,
  saveView,
} from './store/saved-views.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse } from '../base/parsing/parse.ts';

const maximumNameLength = 60;
const maximumQueryLength = 2_000;
const maximumViews = 50;

const text = (maximum: number) =>
  z
    .string({ error: 'must be a string' })
    .refine(isStorableText, breaks('must be valid Unicode without NUL', broken('unicode')))
    .refine(
      (value) => isAtMost(value, maximum),
      breaks(`must be at most ${maximum} characters`, broken('max_length', { maximum })),
    );

export const savedViewSchema = z.object({
  name: text(maximumNameLength)
    .trim()
    .refine((name) => name !== '', breaks('must not be empty', broken('required')))
    .meta({ description: `Name of the view, up to ${maximumNameLength} characters.` }),
  query: text(maximumQueryLength).meta({
    description: `Query string of the page, such as \`status=pending&sort=amount\`, up to ${maximumQueryLength} characters.`,
  }),
});

/** Named filters of the dashboard's list of payments. Each person has their own; keys have none. */
export interface SavedViews {
  /** Sorted by name. */
  list(caller: Caller): Promise<SavedView[]>;
  /** Replaces the view of that name. Returns all of them, of which there are at most 50. */
  save(caller: Caller, input: unknown): Promise<SavedView[]>;
  /** Returns whether there was one. */
  remove(caller: Caller, name: string): Promise<boolean>;
}

function memberOf(caller: Caller): MemberKey {
  assertMay(caller, 'payments:investigate');
  if (caller.kind === 'person') return { organizationId: caller.organizationId, userId: caller.userId };
  throw new ServiceError('permission_denied', 'Only people save views');
}

export function createSavedViews({ db }: { db: Database }): SavedViews {
  return {
    list: async (caller) => listSavedViews(db, memberOf(caller)),

    async save(caller, input) {
      const member = memberOf(caller);
      const view = parse(savedViewSchema, input);
      return db.$transaction(async (tx) => {
        await lockMember(tx, member);
        const views = await listSavedViews(tx, member);
        if (views.length >= maximumViews && !views.some(({ name }) => name === view.name)) {
          throw badRequest(
            `name must be one of the ${maximumViews} views that there are: one has to be deleted first`,
            problem('name', 'max_items', { maximum: maximumViews }),
          );
        }
        await saveView(tx, member, view);
        return listSavedViews(tx, member);
      });
    },

    remove: async (caller, name) => deleteView(db, memberOf(caller), name),
  };
}
