import { idTimestamp } from '../../base/ids.ts';

/**
 * What may be shown of a request, which could carry anybody's data in any place: names from closed lists, our own ids, and
 * values that can only be what their parameter is for. Everything else becomes an asterisk.
 */
export interface Vocabulary {
  /** Segments of the routes. */
  segments: ReadonlySet<string>;
  /** Query parameters, with what tells whether a value may be shown. */
  parameters: ReadonlyMap<string, (value: string) => boolean>;
  /** Members of bodies, arguments and parameters. */
  fields: ReadonlySet<string>;
  /** Fields whose members the client names, such as `metadata`. */
  openFields: ReadonlySet<string>;
}

export const hidden = '*';

const maximumSegments = 12;
const maximumParameters = 20;
const maximumFields = 20;
const maximumNameLength = 60;

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const firstYear = 2020;
const lastYear = 2100;

/** Whether `newId` could have made it: hardly anything else has this shape. */
export function isOwnId(text: string): boolean {
  if (!version7.test(text)) return false;
  const year = idTimestamp(text).getUTCFullYear();
  return year >= firstYear && year <= lastYear;
}

/** Fewer digits than a phone number without its area code. */
export const isSmallNumber = (text: string): boolean => /^\d{1,7}$/.test(text);

export const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);

const shownParameter = (name: string, value: string, { parameters }: Vocabulary): string => {
  const isShown = parameters.get(name);
  if (!isShown) return hidden;
  return `${name}=${isShown(value) ? value : hidden}`;
};

/** Path and query of a request target. */
export function shownTarget(target: string, vocabulary: Vocabulary): string {
  const [path = '', ...query] = target.split('?');
  const segments = path.split('/', maximumSegments + 1).slice(1);
  const shown = segments.map((segment) =>
    segment === '' || vocabulary.segments.has(segment) || isOwnId(segment) ? segment : hidden,
  );
  const parameters = [...new URLSearchParams(query.join('?'))].slice(0, maximumParameters);
  const texts = parameters.map(([name, value]) => shownParameter(name, value, vocabulary));
  return `/${shown.join('/')}${texts.length > 0 ? `?${[...new Set(texts)].join('&')}` : ''}`;
}

/** The field that a problem is about, such as `payer.email`, as far as its names are known. */
function shownField(path: string, { fields, openFields }: Vocabulary): string {
  const names = path.split('.', maximumSegments);
  const isShown = (name: string, before = ''): boolean =>
    !openFields.has(before) && (fields.has(name) || /^\d{1,3}$/.test(name));
  const end = names.findIndex((name, index) => !isShown(name, names[index - 1]));
  return (end === -1 ? names : [...names.slice(0, end), hidden]).join('.');
}

export const shownFields = (paths: readonly string[], vocabulary: Vocabulary): string[] => [
  ...new Set(paths.slice(0, maximumFields).map((path) => shownField(path, vocabulary))),
];

/** An operation's name is written by a programmer, but may have been composed of data: a number shows that. */
export const shownOperationName = (name: string): string =>
  name.length > maximumNameLength || name.replace(/\D/g, '').length > 3 ? hidden : name;
