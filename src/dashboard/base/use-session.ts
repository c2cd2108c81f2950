import { createContext, use } from 'react';
import { graphql, type ResultOf } from '../api/graphql.ts';

export const meDocument = graphql(`
  query Me {
    me {
      id
      name
      email
      twoFactorEnabled
      mustChangePassword
      memberships {
        organizationId
        organizationName
        timeZone
        role
        needsSecondFactor
      }
    }
  }
`);

export type Me = NonNullable<ResultOf<typeof meDocument>['me']>;

export interface Session {
  me: Me;
  /** Refetches `me` after a sign-in, a sign-out or a profile change. */
  refresh: () => Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('nobody is signed in here');
  return session;
}
