import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/core/base/roles.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import type { TestApp } from '../app.ts';
import { createPerson, type TestPerson } from '../people.ts';
import type { HostileOrganization } from './hostile-organization.ts';
import { longAddress, unbroken } from './hostile-texts.ts';

interface Scene {
  /** Below the address of the service. */
  path: string;
  /** Who is signed in. */
  person?: TestPerson;
  /** What they do there. */
  act?: (page: Page) => Promise<void>;
}

export type Scenes = Record<string, Scene>;

/** The first of these buttons, in either language. */
const press = (name: RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const choose = (name: RegExp) => (page: Page) => page.getByText(name).first().click();

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).hash;

/** The way in, and what stands in it. */
async function waysIn(app: TestApp, { organizationId }: HostileOrganization): Promise<Scenes> {
  const { invitations, members, organizations, organizationSettings, passwords } = app.services;
  const operator = operatorFor(organizationId);
  const { url: invitation } = await invitations.invite(operator, {
    email: longAddress('novos'),
    role: 'developer',
  });
  const visitor = await createPerson(app, { organizationId, role: 'viewer' });
  const forgetful = await createPerson(app, { organizationId, role: 'viewer' });
  const { url: recovery } = await passwords.reset(forgetful.email);
  const { url: joining } = await invitations.invite(
    operatorFor((await organizations.create('Outra loja')).id),
    {
      email: visitor.email,
      role: 'support',
    },
  );
  const newcomer = await createPerson(app, { organizationId, role: 'support', mustChangePassword: true });
  const removed = await createPerson(app, { organizationId, role: 'support' });
  await members.remove(operator, removed.userId);
  const strict = await organizations.create(`Floricultura ${unbroken(60)}`);
  await organizationSettings.update(operatorFor(strict.id), { secondFactorRoles: ['owner'] });
  const unprotected = await createPerson(app, { organizationId: strict.id });
  return {
    'sign-in': { path: '/dashboard' },
    'sign-in-empty': { path: '/dashboard', act: press(/^(Entrar|Sign in)$/) },
    'sign-in-forgotten': { path: '/dashboard', act: press(/^(Esqueceu|Forgot)/) },
    invitation: { path: pathOf(invitation) },
    'invitation-member': { path: pathOf(joining), person: visitor },
    'invitation-invalid': { path: '/dashboard/invitation#nothing' },
    recovery: { path: pathOf(recovery) },
    'first-password': { path: '/dashboard', person: newcomer },
    'second-factor': { path: '/dashboard', person: unprotected },
    'no-organization': { path: '/dashboard', person: removed },
    'foreign-organization': { path: `/dashboard/${randomUUID()}/live`, person: visitor },
  };
}

/** What visiting each page and its dialogs once passes by. */
function beside({ organizationId, owner, requester }: HostileOrganization): Scenes {
  const of = (person: TestPerson, path: string, act: Scene['act'] = async () => {}): Scene => ({
    path: `/dashboard/${organizationId}${path}`,
    person,
    act,
  });
  return {
    palette: of(owner, '/live', (page) => page.keyboard.press('Control+K')),
    'palette-found': of(owner, '/test', async (page) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('combobox').fill('pedido');
      await page.getByRole('option', { name: /pedido-1/ }).waitFor();
    }),
    'remove-credential-used': of(owner, '/live/credentials', press(/^(Remover|Remove): Antiga/)),
    'remove-credential-needed': of(owner, '/live/credentials', press(/^(Remover|Remove): Ilimitada/)),
    'rule-set-default': of(owner, '/test/rule-sets', press(/^(Remover como|Remove as)/)),
    'rule-set-changed': of(owner, '/live/rule-sets', async (page) => {
      await press(/^(Editar|Edit)/)(page);
      await press(/^(Remover faixa 1|Remove range 1)/)(page);
    }),
    'approvals-all': of(owner, '/live/approvals', choose(/^(Todas|All)$/)),
    'approvals-own': of(requester, '/live/approvals'),
    'approvals-withdraw': of(requester, '/live/approvals', press(/^(Cancelar solicitação|Withdraw)/)),
  };
}

const seenByOthers = [
  'overview',
  'payment',
  'approvals',
  'credentials',
  'rule-sets',
  'members',
  'api-keys',
  'webhooks',
  'organization',
  'first-steps',
];

async function rolesOf(app: TestApp, { organizationId, live, test }: HostileOrganization): Promise<Scenes> {
  const roles: Role[] = ['developer', 'support', 'viewer'];
  const scenes = roles.map(async (role) => {
    const person = await createPerson(app, { organizationId, role });
    const open = (path = '', mode = 'live') => ({
      path: `/dashboard/${organizationId}/${mode}${path}`,
      person,
    });
    return [
      ...seenByOthers.map((place) => [`${role}-${place}`, open(live[place])] as const),
      [`${role}-payment-pending`, open(test['payment-pending'], 'test')] as const,
    ];
  });
  return Object.fromEntries((await Promise.all(scenes)).flat());
}

export const createScenes = async (app: TestApp, hostile: HostileOrganization): Promise<Scenes> => ({
  ...(await waysIn(app, hostile)),
  ...beside(hostile),
  ...(await rolesOf(app, hostile)),
});
