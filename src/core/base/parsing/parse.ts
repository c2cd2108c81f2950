import { z } from 'zod';
import { badRequest } from '../errors.ts';
import { inexactNumberMessage } from '../json/exact-json.ts';
import { isJsonObject } from '../json/json-object.ts';
import { centsFromReais, maximumAmountInReais, minimumAmountInReais } from '../money.ts';
import { breaks, broken, problem } from '../problems/rules.ts';
import { brokenRuleOf } from '../problems/zod-issue.ts';
import { isAtMost, isNumber, isStorableText } from '../text.ts';

/** The transport's own names for fields. */
export type FieldNames = Readonly<Record<string, string>>;

const nameOf = (path: readonly PropertyKey[], names: FieldNames): string => {
  const name = path.map(String).join('.') || 'body';
  return names[name] ?? name;
};

/** All violations, joined by `; `. The schemas' messages continue the name of the field. */
const violations = (error: z.ZodError, names: FieldNames): string =>
  [
    ...new Set(
      error.issues.map(({ path, message, input }) => {
        const rule = typeof input === 'symbol' ? inexactNumberMessage(input) : message;
        return `${nameOf(path, names)} ${rule}`;
      }),
    ),
  ].join('; ');

/** Fails with `invalid_request`, naming each field and rule. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  names: FieldNames = {},
): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => ({
    path: nameOf(issue.path, names),
    ...brokenRuleOf(issue),
  }));
  throw badRequest(violations(result.error, names), ...problems);
}

/** Does what `parse` does, for the unparsed fields of a form or its query: empty ones count as absent. */
export function parseForm<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const entries = isJsonObject(fields) ? Object.entries(fields) : [];
  return parse(schema, Object.fromEntries(entries.filter(([, value]) => value !== '')));
}

/** Names the members that a strict object refuses. Others would ignore a misspelt member without a word. */
export const withKnownMembers = {
  error: (issue: { readonly code?: string | undefined; readonly keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys'
      ? `has unknown members: ${issue.keys?.join(', ')}`
      : 'must be a JSON object',
};

/** A number, or its text from the query of a URL. */
export const numberParameter = (schema: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && isNumber(value) ? Number(value) : value), schema);

/** How many items a page has. */
export function limitParameter(maximum: number, usual: number) {
  const rule = `must be a whole number from 1 to ${maximum}`;
  return numberParameter(z.number({ error: rule }).int(rule).min(1, rule).max(maximum, rule))
    .default(usual)
    .meta({ description: 'Maximum number of items.' });
}

const instantRule = 'must be an ISO 8601 instant such as 2026-11-21T00:00:00Z';

/** Needs Z or an offset, so that it is unambiguous; one can lead beyond the years that four digits and PostgreSQL write. */
export const instantSchema = z.iso
  .datetime({ offset: true, error: instantRule, abort: true })
  .refine((text) => /^\d/.test(new Date(text).toISOString()), breaks(instantRule, broken('instant')));

/** Treats null members as absent, at the top level only: free-form data below keeps its nulls. */
export function withoutNulls(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** More than any schema has; JSON may have more than the call stack. */
const maximumLevels = 16;

/** Does what `withoutNulls` does at every level that a schema may have. */
export function allWithoutNulls(input: unknown, levels = maximumLevels): unknown {
  if (levels === 0) return input;
  const below = (value: unknown) => allWithoutNulls(value, levels - 1);
  if (Array.isArray(input)) return input.map(below);
  if (!isJsonObject(input)) return input;
  const members = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([name, value]) => [name, below(value)]));
}

/** For names shown to people: of an organization, a key, a credential. */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed || !isStorableText(trimmed) || !isAtMost(trimmed, 200)) {
    throw badRequest(
      'name must be 1 to 200 characters',
      trimmed ? problem('name', 'max_length', { maximum: 200 }) : problem('name', 'required'),
    );
  }
  return trimmed;
}

const ofType = (type: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${type}`;

/** JSON has no infinity, but 1e309 parses to one: it is a number, and too large. */
export const numberSchema = (minimum: number, maximum: number) =>
  z
    .custom<number>((value) => typeof value === 'number' && !Number.isNaN(value), {
      error: ofType('a number'),
      abort: true,
    })
    .refine(
      (value) => value >= minimum,
      breaks(`must be at least ${minimum}`, broken('minimum', { minimum })),
    )
    .refine((value) => value <= maximum, breaks(`must be at most ${maximum}`, broken('maximum', { maximum })))
    .meta({ type: 'number', minimum, maximum });

/** An amount in BRL. A number is what a double makes of it, so 29.949999999999999 is 29.95. */
export const reaisSchema = (minimum: number, maximum = maximumAmountInReais) => {
  const schema = numberSchema(minimum, maximum);
  return schema
    .refine(
      (value) => !Number.isFinite(value) || centsFromReais(value) !== undefined,
      breaks('must have at most two decimals', broken('decimals', { maximum: 2 })),
    )
    .meta({ ...schema.meta() });
};

export const amountSchema = reaisSchema(minimumAmountInReais);

/** A limit in BRL; zero allows nothing. */
export const limitSchema = reaisSchema(0);

/** Storable text of at most `maximumLength` characters. */
export const textSchema = (maximumLength: number, tidy = (value: string) => value) =>
  z
    .string({ error: ofType('a string') })
    .overwrite(tidy)
    .refine(isStorableText, breaks('must be valid Unicode without NUL', broken('unicode')))
    .refine(
      (value) => isAtMost(value, maximumLength),
      breaks(`must be at most ${maximumLength} characters`, broken('max_length', { maximum: maximumLength })),
    )
    .meta({ maxLength: maximumLength });
