import { createSwitches } from './switches.ts';

/** What banks do beside the Banco Central's document. Issues are those of the API Pix. */
const bacenSwitches = {
  digitStrings: 'Numbers are strings of digits (Banco do Brasil, Santander).',
  oneDecimal: 'Amounts have one decimal where that is enough (Banco do Brasil v1).',
  numericAmounts: 'Amounts are JSON numbers.',
  localTimes: 'Times have hundredths and the offset -0300 (Banco do Brasil).',
  nulls: 'Members without a value are null (Sicoob).',
  keyLeftOut: 'A charge has no chave, and its Pix no txid (C6).',
  keyIsTxid: 'The chave of a charge is its txid (PagBank).',
  singleItem: 'One Pix or one refund is an object where a list is meant (ONZ).',
  rawControls: 'Line breaks typed by payers are not escaped in the JSON (Banco do Brasil).',
  pixCopiaECola: 'The code is in pixCopiaECola.',
  brcode: 'The code is in brcode (Sicoob).',
  textoImagemQRcode: 'The code is in textoImagemQRcode (Banco do Brasil v1).',
  emv: 'The code is in emv.',
  strict: 'Unknown members of a request are refused (Efí).',
  absentIs400: 'What is not there is a 400 (Efí).',
  noCancel: 'PATCH is not served: 405.',
  noCancelPage: 'PATCH meets a 404 page of a proxy.',
  emptyCancel: 'A cancel has no body in its response.',
  patchElsewhere: 'PATCH is served under a base path of its own (Santander).',
  formClient: 'The client signs in by the form (Itaú, Santander, Inter).',
  noSecret: 'The client signs in by its certificate and id alone (Sicoob).',
  grantInQuery: 'The sign-in has the grant in the query too (Santander).',
  neededScope: 'The sign-in has to name its scopes (Banco do Brasil, Inter, Sicoob).',
  neededHeaders: 'Every request needs a key of the application in a header, and a new UUID (Itaú).',
  neededQuery: 'Every request needs a key of the application in the query (Banco do Brasil).',
  onlyLoc:
    'The location of a charge with a due date is in its loc alone, as in the example of the API Pix 2.9.0.',
  noComponents: 'A Pix does not say of what its amount is made up.',
  cutFactor: 'What a day of interest brings is cut to five decimals (issue 607: 9 centavos of R$ 30,000).',
  interestFromWrittenDate: 'Interest counts from a due date that was no business day (issue 347).',
  shortValidity: 'The last day to pay is not extended, if it is no business day (issue 523).',
  dueDatesInUtc: 'Today is refused as a due date once it is tomorrow in UTC (issues 426 and 558).',
  noFutureEnd: 'A list is refused whose end is in the future (issue 504).',
  neededAddress: 'The debtor of a charge with a due date needs an address.',
  noDueDates: 'The client has no scope for charges with a due date: a sign-in that asks for it is refused.',
  nameForStatus: 'The history of a recurrence has nome for status, as in the examples of the API Pix 2.9.0.',
  noDates: 'The date of an attempt has a twentieth month, as in an example of the API Pix 2.9.0.',
  noDebitPix: 'A debit that is paid does not list its Pix.',
  noComposite: 'A recurrence comes without its code.',
  ownWords: 'That a txid of a debit is in use is said in words that nobody has documented.',
  untilMidnight:
    'Debits are cancelled and retried until midnight, as the API Pix 2.9.0 says, not until 22:00 of the day before.',
  bankChecks:
    'What the scheme forbids and the API Pix does not list is rejected by the bank of the payer, not at once.',
  noJourney: 'A recurrence does not say how it is permitted, as in the examples of the API Pix 2.9.0.',
  severalInCycle: 'A cycle takes several debits, which the API Pix 2.9.0 refuses.',
  noRecurrences: 'The client has no scope for recurrences: a sign-in that asks for it is refused.',
  unsigned: 'Notifications come without the certificate.',
  noInfractions: 'The application has no scope for infractions: 403 (Efí).',
  lost: 'Notifications never come.',
  late: 'Notifications are held until they are released.',
} as const;

export type BacenSwitch = keyof typeof bacenSwitches;

/** `standard` is the Banco Central's document to the letter, `efi` what Efí makes of its errors. */
export type BacenFlavour = 'standard' | 'efi';

export interface EmulatedBank {
  flavour: BacenFlavour;
  /** Path of the API up to its version. */
  base: string;
  /** Where PATCH is served while `patchElsewhere` is on. */
  patchBase: string;
  token: string;
  /** Whether the sign-in has a host of its own, so that a credential has to say where it is here. */
  isTokenElsewhere: boolean;
  tokenBody: 'form' | 'json';
  keyHeader: string;
  keyQuery: string;
  idHeader: string | undefined;
  /** On from the start. */
  on: readonly BacenSwitch[];
  /** What a credential has to say about it, besides the addresses and the account. */
  settings: Readonly<Record<string, unknown>>;
}

/** The key of the application, where it is not the client's id. */
export const applicationKey = 'emulated-application-key';

const standard: EmulatedBank = {
  flavour: 'standard',
  base: '/api/v2',
  patchBase: '/api/v9',
  token: '/oauth/token',
  isTokenElsewhere: false,
  tokenBody: 'form',
  keyHeader: 'x-application-key',
  keyQuery: 'app-key',
  idHeader: 'x-request-id',
  on: [],
  settings: {},
};

const bank = (preset: string, { settings, ...changes }: Partial<EmulatedBank>): EmulatedBank => ({
  ...standard,
  idHeader: undefined,
  ...changes,
  settings: { preset, ...settings },
});

/** As the pages of each bank have it; a second source beside the presets, so that they do not merely agree with themselves. */
export const emulatedBanks = {
  standard,
  efi: bank('efi', {
    flavour: 'efi',
    base: '/v2',
    tokenBody: 'json',
    on: ['strict', 'absentIs400', 'pixCopiaECola'],
  }),
  itau: bank('itau', {
    base: '/regulatorio-pix/v2',
    token: '/as/token.oauth2',
    isTokenElsewhere: true,
    keyHeader: 'x-itau-apikey',
    idHeader: 'x-itau-correlationid',
    on: ['formClient', 'neededHeaders', 'pixCopiaECola'],
  }),
  'banco-do-brasil': bank('banco-do-brasil', {
    base: '/pix/v2',
    isTokenElsewhere: true,
    keyQuery: 'gw-dev-app-key',
    on: ['neededScope', 'neededQuery', 'digitStrings', 'localTimes', 'rawControls', 'textoImagemQRcode'],
    settings: { appKey: applicationKey },
  }),
  santander: bank('santander', {
    base: '/api/v1',
    patchBase: '/api/v2',
    on: ['formClient', 'grantInQuery', 'neededHeaders', 'patchElsewhere', 'digitStrings'],
  }),
  inter: bank('inter', {
    base: '/pix/v2',
    token: '/oauth/v2/token',
    on: ['formClient', 'neededScope', 'pixCopiaECola'],
  }),
  sicoob: bank('sicoob', {
    base: '/pix/api/v2',
    token: '/auth/realms/cooperado/protocol/openid-connect/token',
    isTokenElsewhere: true,
    keyHeader: 'client_id',
    on: ['noSecret', 'neededScope', 'neededHeaders', 'nulls', 'brcode'],
  }),
  sicredi: bank('sicredi', { on: ['neededScope', 'pixCopiaECola'] }),
  bradesco: bank('bradesco', { base: '/v2' }),
  c6: bank('c6', { base: '/v2/pix', token: '/v1/auth', on: ['formClient', 'keyLeftOut', 'pixCopiaECola'] }),
  pagbank: bank('pagbank', {
    base: '/instant-payments',
    token: '/pix/oauth2',
    tokenBody: 'json',
    on: ['neededScope', 'keyIsTxid'],
  }),
} satisfies Record<string, EmulatedBank>;

export type BankName = keyof typeof emulatedBanks;

export function switchesOf({ on }: EmulatedBank) {
  const switches = createSwitches<BacenSwitch>(bacenSwitches);
  for (const each of on) switches.turn(each, true);
  return switches;
}
