/** How the client authenticates at the token endpoint; with `none`, mutual TLS and the client id are all. */
export type ClientAuth = 'basic' | 'form' | 'none';

/** Settings that only one bank has, under its own name. */
export const ownSettings = ['appKey', 'accountNumber'] as const;

export type OwnSetting = (typeof ownSettings)[number];

/** The words that a bank has, besides the standard's, for what its status alone does not say. */
export interface ProblemWords {
  notFound: readonly string[];
}

type Pairs = Readonly<Record<string, string>>;

/** Deviations of a bank from the Banco Central's API Pix, as data. */
export interface BacenPreset {
  displayName: string;
  /** The address of production, up to the version. */
  baseUrl?: string;
  /** The address of production; a path is on the host of the API. */
  tokenUrl: string;
  /** Set if the bank serves the method PATCH elsewhere; a path is on the host of the API. */
  patchBaseUrl?: string;
  clientAuth: ClientAuth;
  /** Encoding of the token request: the standard (RFC 6749) requires a form. */
  tokenBody: 'form' | 'json';
  scope?: string;
  tokenQuery: Pairs;
  /** Parameters of every request but the sign-in. `{name}` stands for a setting; the pair is left out if that is not set. */
  query: Pairs;
  /** Headers of every request, the sign-in included, filled in as `query` is. */
  headers: Pairs;
  /** Carries a new UUID with every request. */
  requestIdHeader?: string;
  /** Whether `chave` of a response has to be ours. */
  compareKey: boolean;
  /** Header with which a webhook is registered if our server does not ask for the bank's certificate. */
  skipMutualTlsHeader?: string;
  requestsPerMinute?: number;
  /** Known to have charges with a due date. Any other bank is asked too, and may refuse. */
  hasDueDates?: boolean;
  /** Known to have recurrences. Any other bank is asked once the credential says which account receives them. */
  hasRecurrences?: boolean;
  /** Lists claims, and takes answers to them, as Efí does. */
  hasInfractions?: boolean;
  /** Where people sign in. */
  panel?: string;
  words: ProblemWords;
  ownSettings: Readonly<Partial<Record<OwnSetting, 'required' | 'optional'>>>;
}

const standard: BacenPreset = {
  displayName: 'API Pix',
  tokenUrl: '/oauth/token',
  clientAuth: 'basic',
  tokenBody: 'form',
  tokenQuery: {},
  query: {},
  headers: {},
  compareKey: true,
  words: { notFound: [] },
  ownSettings: {},
};

/** What Pix charges, refunds and the registration of a webhook need. */
const scope = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';

const clientIdHeader = '{clientId}';

/**
 * Whoever adds a bank adds its deviations, with a source. ACBr is the library of Projeto ACBr, `Fontes/ACBrPIXCD`,
 * one file for each bank.
 */
const deviations = {
  // dev.efipay.com.br, "API Pix", sdk-node-apis-efi 1.4.0: the grant is JSON; what is not there is a 400 with a name.
  efi: {
    displayName: 'Efí',
    baseUrl: 'https://pix.api.efipay.com.br/v2',
    tokenBody: 'json',
    skipMutualTlsHeader: 'x-skip-mtls-checking',
    // Its SDK has `pixCreateDueCharge`.
    hasDueDates: true,
    // dev.efipay.com.br, "Pix Automático": /v2/rec, /v2/cobr, /v2/locrec, /v2/webhookrec, /v2/webhookcobr.
    hasRecurrences: true,
    hasInfractions: true,
    // dev.efipay.com.br, "Credenciais".
    panel: 'https://app.sejaefi.com.br',
    words: {
      notFound: [
        'cobranca_nao_encontrada',
        'devolucao_nao_encontrada',
        'pix_nao_encontrado',
        'webhook_nao_encontrado',
      ],
    },
  },

  // devportal.itau.com.br, "Recebimentos Pix" 2.27 (before: secure.api.itau/pix_recebimentos/v2); ACBrPIXPSPItau.pas.
  // The token lives five minutes; every call wants the key and an id of its own.
  itau: {
    displayName: 'Itaú',
    baseUrl: 'https://pix-pj.api.itau.com/regulatorio-pix/v2',
    tokenUrl: 'https://sts.itau.com.br/as/token.oauth2',
    clientAuth: 'form',
    headers: { 'x-itau-apikey': clientIdHeader },
    requestIdHeader: 'x-itau-correlationID',
  },

  // developers.bb.com.br (Pix v2); ACBrPIXPSPBancoDoBrasil.pas, which has the code for "Não há informações".
  'banco-do-brasil': {
    displayName: 'Banco do Brasil',
    baseUrl: 'https://api-pix.bb.com.br/pix/v2',
    tokenUrl: 'https://oauth.bb.com.br/oauth/token',
    scope,
    query: { 'gw-dev-app-key': '{appKey}' },
    words: { notFound: ['4769515'] },
    ownSettings: { appKey: 'required' },
  },

  // developer.santander.com.br; ACBrPIXPSPSantander.pas: the version for PATCH is another.
  santander: {
    displayName: 'Santander',
    baseUrl: 'https://trust-pix.santander.com.br/api/v1',
    patchBaseUrl: '/api/v2',
    clientAuth: 'form',
    tokenQuery: { grant_type: 'client_credentials' },
    headers: { 'X-Application-Key': clientIdHeader },
  },

  // developers.inter.co, "API Pix": 120 requests a minute (10 in the sandbox); ACBrPIXPSPInter.pas.
  inter: {
    displayName: 'Banco Inter',
    baseUrl: 'https://cdpj.partners.bancointer.com.br/pix/v2',
    tokenUrl: '/oauth/v2/token',
    clientAuth: 'form',
    scope,
    headers: { 'x-conta-corrente': '{accountNumber}' },
    requestsPerMinute: 120,
    // inter-co/pj-sdk-java makes them in its functional tests.
    hasDueDates: true,
    ownSettings: { accountNumber: 'optional' },
  },

  // developers.sicoob.com.br; ACBrPIXPSPSicoob.pas: no secret, the certificate identifies the client.
  sicoob: {
    displayName: 'Sicoob',
    baseUrl: 'https://api.sicoob.com.br/pix/api/v2',
    tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    clientAuth: 'none',
    scope,
    headers: { client_id: clientIdHeader },
  },

  // ACBrPIXPSPSicredi.pas.
  sicredi: { displayName: 'Sicredi', baseUrl: 'https://api-pix.sicredi.com.br/api/v2', scope },

  // ACBrPIXPSPBradesco.pas.
  bradesco: { displayName: 'Bradesco', baseUrl: 'https://qrpix.bradesco.com.br/v2' },

  // developers.c6bank.com.br. Integrations send the client in the form, ACBrPIXPSPC6Bank.pas as Basic.
  c6: {
    displayName: 'C6 Bank',
    baseUrl: 'https://baas-api.c6bank.info/v2/pix',
    tokenUrl: '/v1/auth',
    clientAuth: 'form',
  },

  // ACBrPIXPSPPagSeguro.pas and the plugin pix-pagseguro-for-woocommerce: the grant is JSON. In its charges `chave` is
  // the txid.
  pagbank: {
    displayName: 'PagBank (API Pix)',
    baseUrl: 'https://secure.api.pagseguro.com/instant-payments',
    tokenUrl: '/pix/oauth2',
    tokenBody: 'json',
    scope: 'cob.read cob.write pix.read pix.write',
    compareKey: false,
  },
} as const satisfies Readonly<Record<string, Partial<BacenPreset>>>;

export type PresetName = keyof typeof deviations;

export const presetNames = Object.keys(deviations) as PresetName[];

/** A credential without a preset follows the standard. */
export const presetOf = (name: PresetName | undefined): BacenPreset =>
  name ? { ...standard, ...deviations[name] } : standard;

export const presetsWith = (setting: OwnSetting): PresetName[] =>
  presetNames.filter((name) => presetOf(name).ownSettings[setting]);
