import { randomUUID } from 'node:crypto';
import type { Mode } from '../../src/domain/mode.ts';
import type { Role } from '../../src/domain/roles.ts';
import { operatorFor } from '../../src/services/caller.ts';
import type { TestApp } from './app.ts';
import { type Client, createClient } from './client.ts';

export interface TestPerson {
  userId: string;
  organizationId: string;
  email: string;
  password: string;
}

/** A member of an organization, which is the person's own unless one is named. */
export async function createPerson(
  { services }: TestApp,
  { role = 'owner', organizationId }: { role?: Role; organizationId?: string } = {},
): Promise<TestPerson> {
  const organization = organizationId ?? (await services.organizations.create(`Test ${randomUUID()}`)).id;
  const email = `${randomUUID()}@example.com`;
  const { member, temporaryPassword } = await services.members.invite(operatorFor(organization), {
    email,
    name: 'Fulana de Tal',
    role,
  });
  return { userId: member.userId, organizationId: organization, email, password: temporaryPassword ?? '' };
}

/** What a browser sends back. */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0(;|$)/i.test(cookie))
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

export async function signIn({ baseUrl }: TestApp, { email, password }: TestPerson): Promise<string> {
  const { status, headers } = await createClient(baseUrl).post(
    '/auth/sign-in/email',
    { email, password },
    { Origin: baseUrl },
  );
  if (status !== 200) throw new Error(`the sign-in answered ${status}`);
  return cookiesOf(headers);
}

const withHeaders = (client: Client, own: Record<string, string>): Client => ({
  get: (path, headers) => client.get(path, { ...own, ...headers }),
  post: (path, body, headers) => client.post(path, body, { ...own, ...headers }),
  graphql: (query, variables, headers) => client.graphql(query, variables, { ...own, ...headers }),
});

/** As the pages of the service ask for somebody who is signed in. */
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
