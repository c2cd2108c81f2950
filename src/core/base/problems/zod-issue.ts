import { broken, type BrokenRule } from './rules.ts';

/** A zod issue, as far as it says which rule was broken. */
export interface Issue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly params?: Record<string, unknown> | undefined;
  readonly origin?: string;
  readonly expected?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly format?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
}

const formats: Partial<Record<string, BrokenRule>> = {
  email: broken('email'),
  uuid: broken('id'),
  datetime: broken('instant'),
  date: broken('date'),
  url: broken('url'),
  base64: broken('unreadable_file'),
};

function boundOf({ origin, minimum, maximum }: Issue): BrokenRule {
  const isText = origin === 'string';
  if (minimum !== undefined) {
    const bound = Number(minimum);
    if (isText) return bound > 1 ? broken('min_length', { minimum: bound }) : broken('required');
    return broken('minimum', { minimum: bound });
  }
  const bound = Number(maximum);
  if (isText) return broken('max_length', { maximum: bound });
  return origin === 'array' ? broken('max_items', { maximum: bound }) : broken('maximum', { maximum: bound });
}

/** Derived from the schema; a `refine` names its rule with `breaks`. */
export function brokenRuleOf(issue: Issue): BrokenRule {
  const named = issue.params?.['broken'] as BrokenRule | undefined;
  if (named) return named;
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return broken('required');
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? broken('whole_number')
        : broken('type', { expected: issue.expected ?? '' });
    case 'too_small':
    case 'too_big':
      return boundOf(issue);
    case 'invalid_format':
      return formats[issue.format ?? ''] ?? broken('format');
    case 'invalid_value':
      return broken('one_of', { choices: (issue.values ?? []).map(String) });
    case 'unrecognized_keys':
      return broken('unknown', { names: issue.keys ?? [] });
    default:
      return broken('invalid');
  }
}
