import { z } from 'zod';
import { broken, type BrokenRule } from '../../../core/base/problems/rules.ts';

const maximumPairs = 20;
const maximumLength = 2_000;

type Violation = [message: string, rule: BrokenRule];

const issueOf = ([message, rule]: Violation, input: unknown) => ({
  code: 'custom' as const,
  message,
  input,
  params: { broken: rule },
});

/** Set by us or by the connection (RFC 9110, 7.6.1), so that a setting for them would break the request. */
const reservedHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** What HTTP (RFC 9110, 5.6.2) or this service forbids. */
function headerNameViolation(name: string): Violation | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
    return ['must be the name of an HTTP header', broken('header_name')];
  return reservedHeaders.has(name.toLowerCase())
    ? ['is set by the service itself', broken('reserved')]
    : undefined;
}

/** RFC 9110, 5.5: visible ASCII, with spaces inside. */
const isHeaderValue = (value: string): boolean => /^[!-~](?:[\t -~]{0,1998}[!-~])?$/.test(value);

export const headerName = z.string('must be a string').superRefine((name, context) => {
  const violation = headerNameViolation(name);
  if (violation) context.addIssue(issueOf(violation, name));
});

interface PairRules {
  ofName: (name: string) => Violation | undefined;
  ofValue: (value: string) => Violation | undefined;
  /** Two names are the same header or parameter if their identity is. */
  identity: (name: string) => string;
}

/** An object of strings. It is secret as a whole, because such pairs tend to be keys. */
const pairs = ({ ofName, ofValue, identity }: PairRules) =>
  z
    .record(z.string(), z.string('must be a string'), 'must be an object of strings')
    .superRefine((all, context) => {
      const names = Object.keys(all);
      if (names.length > maximumPairs)
        context.addIssue(
          issueOf(
            [`must have at most ${maximumPairs} members`, broken('max_items', { maximum: maximumPairs })],
            all,
          ),
        );
      if (new Set(names.map(identity)).size < names.length)
        context.addIssue(issueOf(['must not name a header twice', broken('repeated')], all));
      for (const [name, value] of Object.entries(all)) {
        const violation = ofName(name) ?? ofValue(value);
        if (violation) context.addIssue({ ...issueOf(violation, value), path: [name] });
      }
    })
    .meta({ writeOnly: true, isAdvanced: true });

export const headerPairs = pairs({
  ofName: headerNameViolation,
  ofValue: (value) =>
    isHeaderValue(value)
      ? undefined
      : [
          'must be 1 to 2000 printable ASCII characters without spaces around them',
          broken('printable', { maximum: maximumLength }),
        ],
  identity: (name) => name.toLowerCase(),
});

export const queryPairs = pairs({
  ofName: (name) =>
    /^[!-~]{1,100}$/.test(name)
      ? undefined
      : ['must have a name of printable characters', broken('printable', { maximum: 100 })],
  ofValue: (value) =>
    /^\P{C}{1,2000}$/u.test(value)
      ? undefined
      : [
          'must be 1 to 2000 characters, none of them control characters',
          broken('printable', { maximum: maximumLength }),
        ],
  identity: (name) => name,
});
