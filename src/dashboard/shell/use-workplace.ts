import { createContext, use } from 'react';
import type { Action, Role } from '../../domain/people/roles.ts';
import type { Workplace } from '../api/request.ts';
import type { Live } from '../api/live.ts';

export interface AtWork extends Workplace {
  organizationName: string;
  role: Role;
  live: Live;
  /** Hides what the service would refuse. */
  may: (action: Action) => boolean;
}

export const WorkplaceContext = createContext<AtWork | undefined>(undefined);

export function useWorkplace(): AtWork {
  const workplace = use(WorkplaceContext);
  if (!workplace) throw new Error('no organization is chosen here');
  return workplace;
}

/** Where a page of another organization or mode begins. */
export const workplacePath = ({ organizationId, mode }: Workplace) => `/${organizationId}/${mode}`;
