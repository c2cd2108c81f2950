import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { hostOf, type IsAllowed, portOf } from './hosts.ts';

/** Signature of node:dns lookups. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface ConnectorOptions {
  isAllowed: IsAllowed;
  lookup: Lookup;
  /** Bounds lookup and connection together, and TLS once more. */
  timeoutMs: number;
  /** Authorities to trust instead of the system's, and our own certificate. */
  tls?: TlsMaterial;
}

/** What mutual TLS and private authorities need. */
export interface TlsMaterial {
  /** PEM. */
  certificate?: string | undefined;
  /** PEM. */
  privateKey?: string | undefined;
  pkcs12?: Buffer | undefined;
  passphrase?: string | undefined;
  /** PEM, replacing the system's authorities. */
  ca?: string | undefined;
}

export const notPublicCode = 'ERR_ADDRESS_NOT_PUBLIC';

const notPublic = () => Object.assign(new Error('the address is not public'), { code: notPublicCode });

/**
 * Connects to public addresses and allowed hosts only. TLS starts after the check, so that an inner host does
 * not even see a handshake.
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
      // Lets the calling client finish its own setup first.
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

/** One private address disqualifies the name: there is no honest reason to mix them. */
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
