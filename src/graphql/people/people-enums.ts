import { registerEnumType } from 'type-graphql';
import type { Mode } from '../../domain/mode.ts';
import type { Role } from '../../domain/people/roles.ts';

export const roleEnum: Record<Role, Role> = {
  owner: 'owner',
  developer: 'developer',
  support: 'support',
  viewer: 'viewer',
};

export const modeEnum: Record<Mode, Mode> = { test: 'test', live: 'live' };

registerEnumType(roleEnum, {
  name: 'Role',
  description: 'What a person is in an organization.',
  valuesConfig: {
    owner: { description: 'Everything, live keys and members included.' },
    developer: { description: 'Test keys, webhooks, credentials and rule sets as well as what support may.' },
    support: { description: 'Sees payers, cancels, refunds, simulates and sends webhooks again.' },
    viewer: { description: 'Reads; payers are masked.' },
  },
});

registerEnumType(modeEnum, {
  name: 'Mode',
  description: 'Which world one works in.',
  valuesConfig: {
    test: { description: 'The built-in sandbox.' },
    live: { description: 'Real charges.' },
  },
});
