import { randomUUID } from 'node:crypto';
import type { Mode } from '../../src/core/base/mode.ts';
import type { Role } from '../../src/core/base/roles.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { TestApp } from './app.ts';
import { type Answer, type Client, createClient } from './client.ts';

export interface TestPerson {
  userId: string;
  organizationId: string;
  email: string;
  password: string;
}

interface NewPerson {
  role?: Role;
  organizationId?: string;
  mustChangePassword?: boolean;
}

/** A member of an organization, which is the person's own unless one is named. */
export async function createPerson(
  { services }: TestApp,
  { role = 'owner', organizationId, mustChangePassword = false }: NewPerson = {},
): Promise<TestPerson> {
  const organization = organizationId ?? (await services.organizations.create(`Test ${randomUUID()}`)).id;
  const email = `${randomUUID()}@example.com`;
  const { member, temporaryPassword } = await services.members.create(
    operatorFor(organization),
    { email, name: 'Fulana de Tal', role },
    { mustChangePassword },
  );
  return { userId: member.userId, organizationId: organization, email, password: temporaryPassword };
}

/** What stands behind the `#` of a link. */
export const tokenOf = (url: string): string => new URL(url).hash.slice(1);

/** A person who is there already becomes a member of another organization. */
export async function addMember(
  { services }: Pick<TestApp, 'services'>,
  { userId, email }: Pick<TestPerson, 'userId' | 'email'>,
  organizationId: string,
  role: Role,
): Promise<void> {
  const { url } = await services.invitations.invite(operatorFor(organizationId), { email, role });
  const signedIn = { userId, sessionId: '', mustChangePassword: false };
  await services.invitationLinks.accept(tokenOf(url), {}, signedIn);
}

/** What a browser sends back. */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0(;|$)/i.test(cookie))
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

let addresses = 0;

/** An address of its own, for an app that trusts the proxy before it: tries are counted by address. */
export const newAddress = (): string => {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

/** Posts to `/auth` as the pages of the service do. */
export const postSignIn = (
  { baseUrl }: Pick<TestApp, 'baseUrl'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  createClient(baseUrl).post(`/auth${path}`, body, {
    Origin: baseUrl,
    'X-Forwarded-For': newAddress(),
    ...headers,
  });

/** Answers the cookies of a new session. */
export async function signIn(
  app: Pick<TestApp, 'baseUrl'>,
  { email, password }: TestPerson,
): Promise<string> {
  const { status, headers } = await postSignIn(app, '/sign-in/email', { email, password });
  if (status !== 200) throw new Error(`the sign-in answered ${status}`);
  return cookiesOf(headers);
}

const withHeaders = (client: Client, own: Record<string, string>): Client => ({
  get: (path, headers) => client.get(path, { ...own, ...headers }),
  post: (path, body, headers) => client.post(path, body, { ...own, ...headers }),
  patch: (path, body, headers) => client.patch(path, body, { ...own, ...headers }),
  delete: (path, headers) => client.delete(path, { ...own, ...headers }),
  graphql: (query, variables, headers) => client.graphql(query, variables, { ...own, ...headers }),
});

/** Asks as the pages of the service do for somebody who is signed in. */
export const personalClient = (
  { baseUrl }: TestApp,
  cookie: string,
  { organizationId, mode = 'test' }: { organizationId: string; mode?: Mode },
): Client =>
  withHeaders(createClient(baseUrl), {
    Cookie: cookie,
    Origin: baseUrl,
    'X-Organization-Id': organizationId,
    'X-Mode': mode,
  });

/** A person of a role, signed in and at work. */
export async function openSession(
  app: TestApp,
  options: NewPerson & { mode?: Mode } = {},
): Promise<TestPerson & { client: Client; cookie: string }> {
  const person = await createPerson(app, options);
  const cookie = await signIn(app, person);
  const { mode = 'test' } = options;
  const { organizationId } = person;
  return { ...person, cookie, client: personalClient(app, cookie, { organizationId, mode }) };
}
