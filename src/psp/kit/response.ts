import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import { cents, centsFromReais } from '../../core/base/money.ts';
import type { Charge } from '../../core/providers/rules/charge.ts';
import type { StatementPage, UnreadableItem } from '../../core/providers/rules/psp-lists.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { instant } from './moment.ts';

/** Fails with `unknown` when a 2xx does not match the schema. The message names members, but never their values. */
export function readResponse<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw unreadableIn(result.error.issues.map(({ path }) => path.map(String).join('.') || 'the body'));
}

function unreadableIn(all: readonly string[]): PspError {
  const members = [...new Set(all)];
  const shown = members.slice(0, 5);
  const rest = members.length - shown.length;
  const text = `the provider's response is unreadable: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return new PspError('unknown', text, { reason: 'unexpected_response' });
}

/** Reads the responses of one PSP; `refusalOf` turns a 4xx into an error. */
export const responseReader =
  (refusalOf: (response: HttpResponse) => PspError) =>
  <Schema extends z.ZodType>(schema: Schema, response: HttpResponse): z.output<Schema> => {
    if (response.status >= 400) throw refusalOf(response);
    return readResponse(schema, response.json);
  };

/** Every item of a paginated list; `readPage` gets the number of items read so far. */
export async function allPages<Item>(
  readPage: (itemCount: number) => Promise<{ items: Item[]; hasMore: boolean }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const { items, hasMore } = await readPage(all.length);
    all.push(...items);
    if (!hasMore || items.length === 0) return all;
  }
}

/** How far a list was read: where the page begins, how many items came before, and how many the list said there are. */
interface Progress {
  at: number;
  read: number;
  total: number | null;
}

export function progressOf(cursor: string | null): Progress {
  const [at = 0, read = 0, total] = cursor?.split('/').map(Number) ?? [];
  return { at, read, total: total ?? null };
}

interface PageOfList {
  /** Counts all items, including those that are no received Pix. */
  itemCount: number;
  /** Size of the whole list; null when the provider does not count. */
  total: number | null;
  /** Null on the last page. */
  nextAt: number | null;
}

/**
 * Where the list goes on. The list has changed while it was read if its count differs from before, or if its pages hold more or
 * fewer items than it counts.
 */
export function afterPage(
  before: Progress,
  { itemCount, total, nextAt }: PageOfList,
): Pick<StatementPage, 'nextCursor' | 'hasChanged'> {
  const read = before.read + itemCount;
  const isSameList = before.at === 0 || before.total === total;
  const isWhole = nextAt === null ? total === null || read === total : itemCount > 0;
  if (!isSameList || !isWhole) return { nextCursor: null, hasChanged: true };
  const next = nextAt === null ? null : [nextAt, read, ...(total === null ? [] : [total])].join('/');
  return { nextCursor: next, hasChanged: false };
}

/** An amount in reais, as a JSON number with at most two decimals. */
export const reais = z
  .number()
  .min(0)
  .transform((value, context) => {
    const amountInCents = centsFromReais(value);
    if (amountInCents !== undefined) return amountInCents;
    context.addIssue('must have at most two decimals');
    return z.NEVER;
  });

export const centavos = z
  .int()
  .min(0)
  .transform((value) => cents(value));

/** Maps a PSP's status; an unmapped one is never treated as success or failure. */
export const translated = <Meaning>(
  table: Readonly<Record<string, Meaning>>,
  word: string,
): Meaning | 'unrecognised' => (Object.hasOwn(table, word) && table[word]) || 'unrecognised';

export class Unreadable {
  readonly item: UnreadableItem;

  constructor(item: UnreadableItem) {
    this.item = item;
  }
}

/** Names members, but never their values. */
function membersIn({ issues }: z.ZodError): string[] {
  const members = issues.flatMap((issue) => {
    const [first = []] = issue.code === 'invalid_union' ? issue.errors : [];
    return [issue, ...first].map(({ path }) => path.map(String).join('.'));
  });
  return [...new Set(members.filter(Boolean))].slice(0, 5);
}

const idPattern = /^[\w-]{1,64}$/;
const endToEndIdPattern = /^E\w{31}$/;

/** The members that name an item and say when it was received. They are read even if other members cannot be. */
interface NamingMembers {
  id: string;
  receivedAt?: string;
}

function unreadable(value: unknown, error: z.ZodError, members: NamingMembers): Unreadable {
  const item = isJsonObject(value) ? value : {};
  const named = item[members.id];
  const id = typeof named === 'string' || typeof named === 'number' ? String(named) : '';
  const digest = createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex');
  return new Unreadable({
    reference: idPattern.test(id) ? id : `item:${digest.slice(0, 32)}`,
    endToEndId: endToEndIdPattern.test(id) ? id : null,
    receivedAt: instant.safeParse(item[members.receivedAt ?? '']).data ?? null,
    members: membersIn(error),
  });
}

/** For items of a list in which an unreadable one must not hide the others. */
export const orUnreadable = <Item extends z.ZodType>(schema: Item, members: NamingMembers) =>
  z.unknown().transform((value): z.output<Item> | Unreadable => {
    const read = schema.safeParse(value);
    return read.success ? read.data : unreadable(value, read.error, members);
  });

const isUnreadable = (item: unknown): item is Unreadable => item instanceof Unreadable;

/** Separates the items that `orUnreadable` could not read. */
export const splitUnreadable = <Item>(items: readonly (Item | Unreadable)[]) => ({
  read: items.filter((item): item is Exclude<typeof item, Unreadable> => !isUnreadable(item)),
  unreadable: items.filter(isUnreadable).map(({ item }) => item),
});

/** A member that decides about no money, so that an odd value is as good as none. */
export const ifReadable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

/** A text that says something about a payer. One that cannot be read says nothing. */
export const told = ifReadable(z.string());

/** A list such as that of returns. Unreadable items hide no others, and are asked for again. */
export const eachIfReadable = <Item extends z.ZodType>(item: Item) => {
  const each = orUnreadable(item, { id: 'id' });
  return z
    .union([z.array(each), each.transform((one) => [one])])
    .nullish()
    .transform((items) => splitUnreadable(items ?? []));
};

export const missingIn = (member: string, unreadable: readonly UnreadableItem[]): Pick<Charge, 'missing'> =>
  unreadable.length === 0
    ? {}
    : {
        missing: unreadableIn(
          unreadable.flatMap(({ members }) => [member, ...members].slice(0, 2).join('.')),
        ),
      };

/** Leaves a lookup time to say what it knows: given up as a whole, it would say nothing. */
const patienceMs = 1_500;

/** Bounds how long a lookup waits for what decides nothing, one request after another. */
export function startTimeLimit(): <Seen>(look: Promise<Seen>) => Promise<Seen> {
  const end = delay(patienceMs, undefined, { ref: false });
  return (look) =>
    Promise.race([
      look,
      end.then(() => {
        throw new PspError('unknown', 'the details of a charge did not come in time');
      }),
    ]);
}
