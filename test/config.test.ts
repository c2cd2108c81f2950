import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

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
  ])('name the one that is wrong: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: `);
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
