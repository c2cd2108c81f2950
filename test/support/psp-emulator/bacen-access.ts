import { randomUUID } from 'node:crypto';
import { applicationKey, type BacenSwitch, type EmulatedBank } from './bacen-bank.ts';
import { refusalReply } from './bacen-wire.ts';
import type { Ledger } from './ledger.ts';
import type { Exchange, Reply } from './psp.ts';
import type { Switches } from './switches.ts';

const clientId = 'Client_Id_emulated';
export const clientSecret = 'Client_Secret_emulated_5f0c';
const tokenLifeInSeconds = 3_600;
const usualScopes = ['cob.read', 'cob.write', 'pix.read', 'pix.write'];
const dueScopes = ['cobv.read', 'cobv.write'];
const recurrenceScopes = [
  'rec',
  'cobr',
  'payloadlocationrec',
  'solicrec',
  'webhookrec',
  'webhookcobr',
].flatMap((name) => [`${name}.read`, `${name}.write`]);
const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type Has = Switches<BacenSwitch>['isOn'];

/** The API Pix names a scope for each request; only those of charges with a due date and of recurrences are asked for here. */
function neededScopeOf({ method, path }: Exchange): string | undefined {
  const [, name] = /\/(cobv|rec|cobr|locrec|solicrec|webhookrec|webhookcobr)(?:\/|$)/.exec(path) ?? [];
  const scope = name === 'locrec' ? 'payloadlocationrec' : name;
  return scope && `${scope}.${method === 'GET' ? 'read' : 'write'}`;
}

const isDenied = (scope: string, has: Has): boolean =>
  (has('noDueDates') && dueScopes.includes(scope)) ||
  (has('noRecurrences') && recurrenceScopes.includes(scope));

/** Who may call the API: the sign-in, and what every request has to bring. */
export function createAccess(bank: EmulatedBank, has: Has, ledger: Ledger) {
  const tokens = new Map<string, { endsAt: number; scopes: readonly string[] }>();
  const seenIds = new Set<string>();
  // A bank with a preset takes its client's id; the setting of any other says what.
  const key = bank.settings['preset'] && !bank.settings['appKey'] ? clientId : applicationKey;

  function isClient(authorization: string | undefined, grant: URLSearchParams): boolean {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (has('noSecret'))
      return grant.get('client_id') === clientId && !grant.has('client_secret') && !authorization;
    if (!has('formClient')) return authorization === basic && !grant.has('client_secret');
    return (
      grant.get('client_id') === clientId && grant.get('client_secret') === clientSecret && !authorization
    );
  }

  function token({ headers, text, json, query }: Exchange): Reply {
    const grant = new URLSearchParams(bank.tokenBody === 'json' ? (json as Record<string, string>) : text);
    const refused = (status: number, error: string): Reply => ({ status, body: { error } });
    if (!isClient(headers.authorization, grant)) return refused(401, 'invalid_client');
    const grants = [grant.get('grant_type'), ...(has('grantInQuery') ? [query.get('grant_type')] : [])];
    if (grants.some((each) => each !== 'client_credentials')) return refused(400, 'unsupported_grant_type');
    const scopes = grant.get('scope')?.split(' ') ?? [];
    if (has('neededScope') && !scopes.includes('cob.write')) return refused(400, 'invalid_scope');
    if (scopes.some((each) => isDenied(each, has))) return refused(400, 'invalid_scope');
    const granted = has('neededScope') ? scopes : scopesOf(has);
    const value = `token-${randomUUID()}`;
    tokens.set(value, { endsAt: ledger.now().getTime() + tokenLifeInSeconds * 1_000, scopes: granted });
    const scope = granted.join(' ');
    return {
      status: 200,
      body: { access_token: value, token_type: 'Bearer', expires_in: tokenLifeInSeconds, scope },
    };
  }

  function isRecognised({ headers, query }: Exchange): boolean {
    if (has('neededQuery') && query.get(bank.keyQuery) !== key) return false;
    if (!has('neededHeaders')) return true;
    if (headers[bank.keyHeader] !== key) return false;
    const id = bank.idHeader && headers[bank.idHeader];
    if (bank.idHeader === undefined) return true;
    if (typeof id !== 'string' || !uuid.test(id) || seenIds.has(id)) return false;
    seenIds.add(id);
    return true;
  }

  return {
    token,
    /** Undefined when the request may pass. */
    refuse(exchange: Exchange): Reply | undefined {
      if (exchange.operation === 'token') return undefined;
      const bearer = exchange.headers.authorization?.replace('Bearer ', '') ?? '';
      const signedIn = tokens.get(bearer);
      if (!signedIn || signedIn.endsAt <= ledger.now().getTime()) {
        return { status: 401, body: { error: 'invalid_token' } };
      }
      if (!isRecognised(exchange)) return { status: 401, body: { error: 'unknown_application' } };
      const scope = neededScopeOf(exchange);
      const isAllowed = scope === undefined || (!isDenied(scope, has) && signedIn.scopes.includes(scope));
      if (isAllowed) return undefined;
      return refusalReply(bank.flavour, 403, { type: 'AcessoNegado', nome: 'acesso_negado' });
    },
  };
}

const scopesOf = (has: Has): string[] =>
  [...usualScopes, ...dueScopes, ...recurrenceScopes].filter((scope) => !isDenied(scope, has));

/** What a credential needs besides its preset, while these switches are on. */
export function accessSettings(bank: EmulatedBank, has: Has, origin: string): Record<string, unknown> {
  const preset =
    typeof bank.settings['preset'] === 'string' ? { preset: bank.settings['preset'] } : undefined;
  const common = {
    ...bank.settings,
    baseUrl: origin + bank.base,
    ...(bank.isTokenElsewhere && { tokenUrl: origin + bank.token }),
    clientId,
    ...(!has('noSecret') && { clientSecret }),
  };
  if (preset) return common;
  return {
    ...common,
    ...(has('formClient') && { clientAuth: 'form' }),
    ...(has('noSecret') && { clientAuth: 'none' }),
    ...(has('grantInQuery') && { tokenQuery: { grant_type: 'client_credentials' } }),
    ...(has('neededScope') && { scope: scopesOf(has).join(' ') }),
    ...(has('neededHeaders') && {
      headers: { [bank.keyHeader]: applicationKey },
      requestIdHeader: bank.idHeader,
    }),
    ...(has('neededQuery') && { query: { [bank.keyQuery]: applicationKey } }),
    ...(has('patchElsewhere') && { patchBaseUrl: origin + bank.patchBase }),
    ...(has('keyIsTxid') && { compareKey: false }),
  };
}
