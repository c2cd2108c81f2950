import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../src/core/base/errors.ts';
import { hostOf, readAllowedHost } from '../../src/network/hosts.ts';
import { assertWebhookUrl, type WebhookUrlRules } from '../../src/webhook-client/url.ts';
import { hostRefusal } from '../support/webhook-receiver.ts';

const live: WebhookUrlRules = { mode: 'live', allowedHosts: [] };
const onTest: WebhookUrlRules = { mode: 'test', allowedHosts: [] };

function refusalOf(url: string, rules = live): string | undefined {
  try {
    assertWebhookUrl(url, rules);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('invalid_request');
    return (error as ServiceError).message;
  }
}

test.each([
  'https://shop.example.com/pix?from=us',
  'https://shop.example.com:8443/',
  'https://SHOP.Example.com.',
  'https://açaí.example.com/',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://localhost.example.com/',
  `https://shop.example.com/${'a'.repeat(2_023)}`,
])('%s may be called', (url) => {
  expect(assertWebhookUrl(url, live).href).toBe(new URL(url).href);
});

describe('the error names the rule', () => {
  test.each([
    ['', 'url must be a URL such as https://shop.example.com/pix'],
    ['shop.example.com/pix', 'url must be a URL such as https://shop.example.com/pix'],
    ['https://', 'url must be a URL such as https://shop.example.com/pix'],
    ['https://[fe80::1%25eth0]/', 'url must be a URL such as https://shop.example.com/pix'],
    [`https://shop.example.com/${'a'.repeat(2_024)}`, 'url must be at most 2048 characters'],
    [`https://shop.example.com/${'á'.repeat(1_000)}`, 'url must be at most 2048 characters'],
    ['http://shop.example.com/', 'url must be https'],
    ['ftp://shop.example.com/', 'url must be https'],
    ['file:///etc/passwd', 'url must be https'],
    ['gopher://127.0.0.1:6379/_INFO', 'url must be https'],
    ['javascript:alert(1)', 'url must be https'],
    ['https://user@shop.example.com/', 'url must not contain a user name or a password'],
    ['https://:password@shop.example.com/', 'url must not contain a user name or a password'],
    ['https://8.8.8.8@127.0.0.1/', 'url must not contain a user name or a password'],
    ['https://shop.example.com/#top', 'url must not have a fragment'],
    ['https://shop.example.com/#', 'url must not have a fragment'],
  ])('that %j breaks', (url, rule) => {
    expect(refusalOf(url)).toBe(rule);
  });
});

test.each([
  'https://localhost/',
  'https://LOCALHOST./',
  'https://localhost../',
  'https://10.0.0.1../',
  'https://app.localhost/',
  'https://localhost.localdomain/',
  'https://printer.local/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://metadata/',
  'https://redis:6379/',
  'https://router.home.arpa/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://0/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/',
])('%s is refused at once', (url) => {
  expect(refusalOf(url)).toBe(hostRefusal(hostOf(new URL(url))));
});

test('plain http is for test mode', () => {
  expect(refusalOf('http://shop.example.com/', onTest)).toBeUndefined();
  expect(refusalOf('ftp://shop.example.com/', onTest)).toBe('url must be https or http');
  expect(refusalOf('http://127.0.0.1/', onTest)).toBe(hostRefusal('127.0.0.1'));
  expect(refusalOf('http://localhost:4000/')).toBe(hostRefusal('localhost'));
});

describe('allowed hosts', () => {
  const withHosts = (...allowedHosts: string[]): WebhookUrlRules => ({ mode: 'live', allowedHosts });

  test.each([
    ['http://localhost:4000/hook', 'localhost'],
    ['http://LOCALHOST:4000/hook', 'LocalHost:4000'],
    ['https://localhost/hook', 'localhost:443'],
    ['http://localhost/hook', 'localhost:80'],
    ['http://127.0.0.1:4000/hook', '127.0.0.1'],
    ['http://[::1]:4000/hook', '::1'],
    ['http://[::1]:4000/hook', '[::1]:4000'],
    ['http://[0:0:0:0:0:0:0:1]:4000/hook', '[::1]'],
    ['http://hooks.internal./', 'hooks.internal'],
  ])('%s by %s', (url, entry) => {
    expect(refusalOf(url, withHosts('other.example', entry))).toBeUndefined();
  });

  test.each([
    ['http://localhost:4001/', 'localhost:4000'],
    ['http://127.0.0.1/', 'localhost'],
    ['http://sub.localhost/', 'localhost'],
    ['http://localhost.evil.example/', 'localhost'],
    ['https://10.0.0.1/', '10.0.0.0/8'],
    ['https://a.internal/', '*.internal'],
    ['https://a.internal/', ''],
  ])('not %s by %j', (url, entry) => {
    expect(refusalOf(url, withHosts(entry))).toBeDefined();
  });

  test('do not permit a user name or a fragment', () => {
    expect(refusalOf('http://user@localhost/', withHosts('localhost'))).toMatch(/user name/);
    expect(refusalOf('http://localhost/#top', withHosts('localhost'))).toMatch(/fragment/);
  });

  test.each(['*.internal', '10.0.0.0/8', 'http://localhost', 'user@localhost', 'a b', ':80', ''])(
    '%j is not an entry',
    (entry) => {
      expect(readAllowedHost(entry)).toBeUndefined();
    },
  );
});
