import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://pix@db/pix',
  REDIS_URL: 'redis://redis',
  ENCRYPTION_KEYS: key('1'),
  PUBLIC_URL: 'https://pay.example.com/',
};

describe('the settings', () => {
  test('are refused with every mistake at once', () => {
    const env = { PORT: '70000', DATABASE_URL: 'mysql://localhost', LOG_LEVEL: 'loud', ROLE: 'worker' };
    expect(() => readConfig(env)).toThrow(/PORT[^]*DATABASE_URL[^]*LOG_LEVEL/);
  });

  test('that production needs are named when they are missing', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(
      /DATABASE_URL: is required[^]*REDIS_URL: is required[^]*ENCRYPTION_KEYS: is required[^]*PUBLIC_URL: is required/,
    );
  });

  test.each([
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['ENCRYPTION_KEYS', 'too short'],
    ['ENCRYPTION_KEYS', `${key('1')},${key('1')}`],
    ['CORS_ORIGINS', 'https://shop.example.com/path'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['METRICS_PORT', '3000'],
    ['NODE_ENV', 'prod'],
    ['PUBLIC_URL', 'https://example.com/pix'],
    ['PUBLIC_URL', 'https://user:password@example.com'],
    ['PSP_ALLOWED_HOSTS', 'http://localhost'],
  ])('name the one that is wrong: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: `);
  });

  test.each([
    ['PUBLIC_URL', 'http://pay.example.com'],
    ['PORT', '9464'],
  ])('are stricter in production: %s=%s', (name, value) => {
    const mistake = name === 'PORT' ? 'METRICS_PORT: must differ' : `${name}: must be https`;
    expect(() => readConfig({ ...production, [name]: value })).toThrow(mistake);
    expect(readConfig({ [name]: value })).toBeDefined();
  });

  test('let PSPs be on this machine, but not in production', () => {
    expect(readConfig({}).pspAllowedHosts).toEqual(['localhost', '127.0.0.1', '::1']);
    expect(readConfig(production).pspAllowedHosts).toEqual([]);
    expect(readConfig({ ...production, PSP_ALLOWED_HOSTS: '10.0.0.7' }).pspAllowedHosts).toEqual([
      '10.0.0.7',
    ]);
  });

  test('do not repeat a secret that is wrong', () => {
    const wrong = key('1').slice(0, -8);
    let said = '';
    try {
      readConfig({ ENCRYPTION_KEYS: wrong });
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain('ENCRYPTION_KEYS: must be');
    expect(said).not.toContain(wrong.slice(2));
  });

  test.each([
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
  ])('know the proxies: %s', (text, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: text })).toMatchObject({ trustProxy });
  });

  test('are as if absent when they are blank', () => {
    expect(readConfig({ PORT: ' ', REDIS_URL: '' })).toMatchObject({ port: 3000, redisUrl: undefined });
  });
});
