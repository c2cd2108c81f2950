import { registerEnumType } from 'type-graphql';
import type { Mode } from '../../core/base/mode.ts';
import { otherPayerRules } from '../../core/people/rules/organization-settings.ts';
import type { Role } from '../../core/base/roles.ts';

export const roleEnum: Record<Role, Role> = {
  owner: 'owner',
  developer: 'developer',
  support: 'support',
  viewer: 'viewer',
};

export const modeEnum: Record<Mode, Mode> = { test: 'test', live: 'live' };

registerEnumType(roleEnum, {
  name: 'Role',
  description: 'Role of a member in an organization.',
  valuesConfig: {
    owner: { description: 'Everything, including live keys and members.' },
    developer: {
      description: 'Manages test keys, webhooks, credentials and rule sets, and whatever support may do.',
    },
    support: { description: 'Sees payers; cancels, refunds and simulates payments; resends webhooks.' },
    viewer: { description: 'Read-only; payers are masked.' },
  },
});

export const otherPayerEnum = Object.fromEntries(otherPayerRules.map((rule) => [rule, rule]));

registerEnumType(otherPayerEnum, {
  name: 'OtherPayerRule',
  description: 'What becomes of a payment that somebody else than the payer asked for has paid.',
  valuesConfig: {
    ignore: { description: 'Nothing: it only says so.' },
    flag: { description: 'It needs review: the concern `other_payer`.' },
    refund: { description: 'It is refunded whole, with approval where refunds need it.' },
  },
});

registerEnumType(modeEnum, {
  name: 'Mode',
  description: 'Test or live.',
  valuesConfig: {
    test: { description: 'Payments are created in the built-in sandbox.' },
    live: { description: 'Payments are real.' },
  },
});
