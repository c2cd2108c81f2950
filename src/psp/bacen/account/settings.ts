import { z } from 'zod';
import { parseUrl } from '../../../core/base/parse-url.ts';
import { broken, type BrokenRule } from '../../../core/base/problems/rules.ts';
import type { TlsMaterial } from '../../../network/connector.ts';
import { apiUrl, endpointUrl, secretText } from '../../kit/settings.ts';
import { headerName, headerPairs, queryPairs } from './pairs.ts';
import {
  type BacenPreset,
  type ClientAuth,
  type OwnSetting,
  ownSettings,
  type PresetName,
  presetNames,
  presetOf,
  presetsWith,
} from './presets.ts';
import { tlsFields, tlsOf, tlsViolation } from './tls.ts';

type Pairs = Readonly<Record<string, string>>;

/** `tipoConta` of the API Pix. */
const accountTypes = { checking: 'CORRENTE', savings: 'POUPANCA', payment: 'PAGAMENTO' } as const;

type AccountType = keyof typeof accountTypes;

/** The account that receives debits, in the words of the API Pix. */
export interface ReceivingAccount {
  agencia?: string;
  conta: string;
  tipoConta: (typeof accountTypes)[AccountType];
}

/** A credential's settings, completed by its preset. */
export interface BacenSettings {
  baseUrl: string;
  tokenUrl: string;
  /** Base URL for the method PATCH. */
  patchBaseUrl: string;
  clientAuth: ClientAuth;
  clientId: string;
  /** Not needed with `clientAuth` none. */
  clientSecret: string | undefined;
  tokenBody: BacenPreset['tokenBody'];
  tokenQuery: Pairs;
  /** Empty when the bank wants none. */
  scope: string;
  query: Pairs;
  headers: Pairs;
  requestIdHeader: string | undefined;
  pixKey: string;
  compareKey: boolean;
  merchantName: string;
  merchantCity: string;
  requestsPerMinute: number | undefined;
  /** Undefined for a credential that does without recurrences. */
  recurrenceAccount: ReceivingAccount | undefined;
  tls: TlsMaterial;
  preset: BacenPreset;
  notificationAuth: 'mtls' | 'urlToken';
}

const text = (maximumLength: number) =>
  z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(maximumLength, `must be at most ${maximumLength} characters`);

const choice = <Value extends string>(values: readonly [Value, ...Value[]] | readonly Value[]) =>
  z.enum(values as [Value, ...Value[]], `must be one of ${values.join(', ')}`);

/** A number of a bank, whose check digit may be a letter. */
const digits = (maximumLength: number) =>
  z
    .string('must be a string')
    .regex(
      new RegExp(`^[0-9A-Za-z]{1,${maximumLength}}$`),
      `must be 1 to ${maximumLength} digits or letters, without a hyphen`,
    );

const advanced = { isAdvanced: true };

/** RFC 6749, 3.3. */
const scopeText = z
  .string('must be a string')
  .regex(/^(?:[!#-[\]-~]+(?: [!#-[\]-~]+)*)?$/, 'must be words of printable ASCII, with one space between')
  .max(1_000, 'must be at most 1000 characters');

const givenSettings = z.strictObject(
  {
    preset: choice(presetNames).meta({ isAddress: true }).optional(),
    /** Including the version: charges are at `{baseUrl}/cob/{txid}`. */
    baseUrl: apiUrl.optional(),
    clientId: secretText,
    clientSecret: secretText.meta({ unless: { setting: 'clientAuth', value: 'none' } }).optional(),
    appKey: secretText.optional(),
    accountNumber: secretText.meta({ writeOnly: false }).optional(),
    /** Charges of another key are not treated as ours, unless `compareKey` is false. */
    pixKey: text(77).meta({ isFixed: true }),
    merchantName: text(200),
    merchantCity: text(200),
    ...tlsFields,
    /** `urlToken` for PSPs without a client certificate: anyone who knows the URL may notify. */
    notificationAuth: z.enum(['mtls', 'urlToken'], 'must be mtls or urlToken').default('mtls'),
    tokenUrl: endpointUrl.meta(advanced).optional(),
    clientAuth: choice<ClientAuth>(['basic', 'form', 'none']).meta(advanced).optional(),
    tokenBody: choice<BacenPreset['tokenBody']>(['form', 'json']).meta(advanced).optional(),
    scope: scopeText.meta(advanced).optional(),
    tokenQuery: queryPairs.optional(),
    query: queryPairs.optional(),
    headers: headerPairs.optional(),
    requestIdHeader: headerName.meta(advanced).optional(),
    compareKey: z.boolean('must be true or false').meta(advanced).optional(),
    patchBaseUrl: apiUrl.meta(advanced).optional(),
    requestsPerMinute: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1_000_000, 'must be at most 1000000')
      .meta(advanced)
      .optional(),
    recurrenceBranch: digits(4).meta(advanced).optional(),
    recurrenceAccount: digits(20).meta(advanced).optional(),
    recurrenceAccountType: choice(Object.keys(accountTypes) as AccountType[])
      .meta(advanced)
      .optional(),
  },
  'must be an object',
);

type GivenSettings = z.output<typeof givenSettings>;

export type BacenSettingName = keyof z.input<typeof givenSettings>;

const isPreset = (name: unknown): name is PresetName | undefined =>
  name === undefined || presetNames.some((each) => each === name);

/** Whether the preset's sign-in belongs to another environment than this API, whose secrets it must not get. */
function signsInElsewhere(preset: BacenPreset, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || preset.baseUrl === undefined || !parseUrl(preset.tokenUrl)) return false;
  return new URL(baseUrl).host !== new URL(preset.baseUrl).host;
}

/** The name of a setting, the message and the rule that it breaks. */
type Violation = [setting: string, message: string, rule: BrokenRule];

/** The rules between settings. */
function* violations(
  given: GivenSettings,
  isValid: (name: keyof GivenSettings) => boolean,
): Generator<Violation> {
  if (!isPreset(given.preset)) return;
  const preset = presetOf(given.preset);
  const baseUrl = given.baseUrl ?? preset.baseUrl;
  if (baseUrl === undefined) yield ['baseUrl', 'must be given unless the preset has one', broken('required')];
  if (given.tokenUrl === undefined && isValid('baseUrl') && signsInElsewhere(preset, given.baseUrl)) {
    yield [
      'tokenUrl',
      `must be given with another baseUrl: ${preset.displayName} signs in on a host of its own`,
      broken('together_with', { other: 'baseUrl' }),
    ];
  }
  const clientAuth = given.clientAuth ?? preset.clientAuth;
  if (clientAuth !== 'none' && given.clientSecret === undefined)
    yield ['clientSecret', 'must be given', broken('required')];
  if (clientAuth === 'basic' && isValid('clientId') && given.clientId.includes(':')) {
    yield ['clientId', 'must have no colon', broken('no_colon')];
  }
  for (const name of ownSettings) {
    const isGiven = given[name] !== undefined;
    if (preset.ownSettings[name] === 'required' && !isGiven)
      yield [name, `must be given: ${preset.displayName} requires it`, broken('required')];
    if (isGiven && !preset.ownSettings[name]) {
      yield [
        name,
        `must be omitted: it belongs to the preset ${presetsWith(name).join(', ')}`,
        broken('not_allowed'),
      ];
    }
  }
  const idHeader = given.requestIdHeader?.toLowerCase();
  if (
    isValid('headers') &&
    Object.keys(given.headers ?? {}).some((name) => name.toLowerCase() === idHeader)
  ) {
    yield ['requestIdHeader', 'must not be one of headers', broken('repeated')];
  }
  const { recurrenceBranch, recurrenceAccount, recurrenceAccountType } = given;
  const isAccountGiven = recurrenceBranch ?? recurrenceAccount ?? recurrenceAccountType;
  const together = { recurrenceAccount, recurrenceAccountType };
  for (const [name, value] of Object.entries(together)) {
    const other = name === 'recurrenceAccount' ? 'recurrenceAccountType' : 'recurrenceAccount';
    if (isAccountGiven && value === undefined)
      yield [name, 'must be given with the rest of the account', broken('together_with', { other })];
  }
  const tlsNames = Object.keys(tlsFields) as (keyof typeof tlsFields)[];
  // Plain http is limited to this machine, where an emulator needs no certificate.
  const isRequired = isValid('baseUrl') && baseUrl?.startsWith('https:') === true;
  const tls = tlsNames.every(isValid) && tlsViolation(given, { isRequired });
  if (tls) yield tls;
}

const validSettings = givenSettings.superRefine(
  (given, context) => {
    const invalid = new Set(context.issues.map(({ path }) => path?.[0]));
    for (const [name, message, rule] of violations(given, (each) => !invalid.has(each))) {
      if (invalid.has(name)) continue;
      context.addIssue({ code: 'custom', path: [name], message, input: given, params: { broken: rule } });
    }
  },
  // Also after other violations, so that one message names every setting at fault.
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

/** `{name}` stands for a setting; a pair whose setting is absent is left out. */
const filledIn = (pairs: Pairs, given: Pick<GivenSettings, OwnSetting | 'clientId'>): Pairs =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([name, value]) => {
      const [, setting] = /^\{(\w+)\}$/.exec(value) ?? [];
      const filled = setting ? given[setting as OwnSetting | 'clientId'] : value;
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

/** A given header replaces the preset's header of that name, whatever its case. */
function mergedHeaders(ours: Pairs, given: Pairs): Pairs {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(ours).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...given };
}

/** A path is on the host of the API. */
const resolveUrl = (baseUrl: string, urlOrPath: string): string => new URL(urlOrPath, baseUrl).href;

export const bacenSettings: z.ZodType<BacenSettings> = validSettings.transform((given): BacenSettings => {
  const { clientId, clientSecret, pixKey, merchantName, merchantCity, notificationAuth } = given;
  const { recurrenceBranch: agencia, recurrenceAccount: conta, recurrenceAccountType: type } = given;
  const preset = presetOf(given.preset);
  const baseUrl = given.baseUrl ?? preset.baseUrl ?? '';
  return {
    baseUrl,
    tokenUrl: given.tokenUrl ?? resolveUrl(baseUrl, preset.tokenUrl),
    patchBaseUrl:
      given.patchBaseUrl ?? (preset.patchBaseUrl ? resolveUrl(baseUrl, preset.patchBaseUrl) : baseUrl),
    clientAuth: given.clientAuth ?? preset.clientAuth,
    clientId,
    clientSecret,
    tokenBody: given.tokenBody ?? preset.tokenBody,
    tokenQuery: { ...preset.tokenQuery, ...given.tokenQuery },
    scope: given.scope ?? preset.scope ?? '',
    query: { ...filledIn(preset.query, given), ...given.query },
    headers: mergedHeaders(filledIn(preset.headers, given), given.headers ?? {}),
    requestIdHeader: given.requestIdHeader ?? preset.requestIdHeader,
    pixKey,
    compareKey: given.compareKey ?? preset.compareKey,
    merchantName,
    merchantCity,
    requestsPerMinute: given.requestsPerMinute ?? preset.requestsPerMinute,
    recurrenceAccount:
      conta && type ? { ...(agencia && { agencia }), conta, tipoConta: accountTypes[type] } : undefined,
    tls: tlsOf(given),
    preset,
    notificationAuth,
  };
});
