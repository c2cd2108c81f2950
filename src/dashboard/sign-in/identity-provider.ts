import { get, post } from '../api/request.ts';
import { errorBodyOf, ServiceError } from '../api/service-error.ts';

/** The identity provider, of which there may be none. */
export const identityProvider = {
  name: async () => {
    const { response, body } = await get<{ name: string | null }>('/auth/identity-provider');
    return response.ok ? body.name : null;
  },

  /** Goes to the provider's page, which leads back to this one. */
  begin: async () => {
    const { response, body } = await post<{ url: string }>('/auth/identity-provider/begin', {
      page: location.pathname,
    });
    if (!response.ok) throw new ServiceError(errorBodyOf(body, response));
    location.assign(body.url);
  },
};
