import { post } from '../api/request.ts';
import { failureOf, Refusal } from '../api/service-error.ts';
import type { Role } from '../../domain/people/roles.ts';

export interface Invitation {
  organizationId: string;
  organizationName: string;
  email: string;
  name: string | null;
  role: Role;
  hasAccount: boolean;
}

/** What stands behind the `#` of the page's address, which is sent to nobody else. */
export const linkToken = (): string => location.hash.slice(1);

async function send<Answer>(path: string, body: object): Promise<Answer> {
  const { response, answer } = await post<Answer>(`/auth${path}`, { token: linkToken(), ...body });
  if (!response.ok) throw new Refusal(failureOf(answer, response));
  return answer;
}

/** What people do with a link that they were handed. */
export const links = {
  readInvitation: () => send<Invitation>('/invitation', {}),
  /** `newcomer`: of whoever has no account yet. */
  acceptInvitation: (newcomer: { name?: string; password?: string }) =>
    send<Invitation>('/invitation/accept', newcomer),
  readNewPassword: () => send<{ email: string }>('/new-password', {}),
  chooseNewPassword: (password: string) => send<{ email: string }>('/new-password/choose', { password }),
};
