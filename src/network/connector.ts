import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { hostOf, type IsAllowed, portOf } from './hosts.ts';

/** As node:dns looks names up. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface ConnectorOptions {
  isAllowed: IsAllowed;
  lookup: Lookup;
  /** For the name and the connection, and as long again for TLS. */
  timeoutMs: number;
  /** Authorities instead of those that the system knows, and what is shown of ourselves. */
  tls?: TlsMaterial;
}

/** For mutual TLS and for authorities that the system does not know. */
export interface TlsMaterial {
  /** PEM. */
  certificate?: string | undefined;
  /** PEM. */
  privateKey?: string | undefined;
  pkcs12?: Buffer | undefined;
  passphrase?: string | undefined;
  /** PEM, instead of the authorities that the system knows. */
  ca?: string | undefined;
}

export const notPublicCode = 'ERR_ADDRESS_NOT_PUBLIC';

const notPublic = () => Object.assign(new Error('the address is not public'), { code: notPublicCode });

/**
 * Connects to public addresses and allowed hosts only. TLS begins on a connection that has been looked at, so
 * that an inner host does not even see a handshake.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { isAllowed, lookup, timeoutMs: timeout, tls = {} } = options;
  const openAny = buildConnector({ timeout, lookup: lookingUp(lookup, () => true) });
  const openPublic = buildConnector({ timeout, lookup: lookingUp(lookup, isPublicAddress) });
  const secure = buildConnector({
    timeout,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    cert: tls.certificate,
    key: tls.privateKey,
    pfx: tls.pkcs12,
    passphrase: tls.passphrase,
    ca: tls.ca,
  });

  return (target, callback) => {
    const isFree = isAllowed(target);
    const host = hostOf(target);
    if (!isFree && isIP(host) && !isPublicAddress(host)) {
      // Not before the client that asks has finished its own preparations.
      queueMicrotask(() => {
        callback(notPublic(), null);
      });
      return;
    }
    const open = isFree ? openAny : openPublic;
    open({ ...target, protocol: 'http:', port: portOf(target) }, (error, socket) => {
      if (error) {
        callback(error, null);
      } else if (!isFree && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(notPublic(), null);
      } else if (target.protocol === 'https:') {
        secure({ ...target, httpSocket: socket }, callback);
      } else {
        callback(null, socket);
      }
    });
  };
}

/** One bad address spoils them all: nobody has a reason to mix them. */
const lookingUp =
  (lookup: Lookup, isGood: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (!first) callback(error ?? noAddress(hostname), []);
      else if (!addresses.every(({ address }) => isGood(address))) callback(notPublic(), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

const noAddress = (hostname: string) =>
  Object.assign(new Error(`no address: ${hostname}`), { code: 'ENOTFOUND' });
