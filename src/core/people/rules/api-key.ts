import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../base/mode.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^pk_(test|live)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const base62 = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = alphabet[rest % 62] + text;
  return text;
};

/** Recognises typos and false positives of secret scanners without a database query. */
const checksum = (text: string): string => base62(crc32(text), 6);

export function generateApiKey(mode: Mode): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join('');
  const body = `pk_${mode}_${random}`;
  return body + checksum(body);
}

export const isWellFormedApiKey = (text: string): boolean => {
  const match = shape.exec(text);
  return match !== null && checksum(text.slice(0, -6)) === match[3];
};

export const apiKeySha256 = (key: string): string => hash('sha256', key, 'hex');
