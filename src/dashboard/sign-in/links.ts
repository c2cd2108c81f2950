import { get, post } from '../api/request.ts';
import { errorBodyOf, ServiceError } from '../api/service-error.ts';
import type { Role } from '../../core/base/roles.ts';

export interface Invitation {
  organizationId: string;
  organizationName: string;
  email: string;
  name: string | null;
  role: Role;
  hasAccount: boolean;
}

/** People who forgot their password get such a link. */
export const recovery = {
  /** The service may be unable to send e-mail. */
  isOffered: async () => {
    const { response, body } = await get<{ isOffered: boolean }>('/auth/forgot-password');
    return response.ok && body.isOffered;
  },

  begin: async (email: string) => {
    const { response, body } = await post('/auth/forgot-password', { email });
    if (!response.ok) throw new ServiceError(errorBodyOf(body, response));
  },
};

/** Browsers do not send the hash of a URL to servers. */
const linkToken = (): string => location.hash.slice(1);

async function send<Body>(path: string, input: object): Promise<Body> {
  const { response, body } = await post<Body>(`/auth${path}`, { token: linkToken(), ...input });
  if (!response.ok) throw new ServiceError(errorBodyOf(body, response));
  return body;
}

export const links = {
  readInvitation: () => send<Invitation>('/invitation', {}),
  /** Only people without an account send one. */
  acceptInvitation: (account: { name?: string; password?: string }) =>
    send<Invitation>('/invitation/accept', account),
  readNewPassword: () => send<{ email: string }>('/new-password', {}),
  chooseNewPassword: (password: string) => send<{ email: string }>('/new-password/choose', { password }),
};
