import { createContext, use } from 'react';
import type { Action, Role } from '../../core/base/roles.ts';
import type { Workplace } from '../api/request.ts';
import type { Live } from '../api/live.ts';

export interface ActiveWorkplace extends Workplace {
  organizationName: string;
  role: Role;
  live: Live;
  /** Only hides controls; the service enforces permissions. */
  may: (action: Action) => boolean;
}

export const WorkplaceContext = createContext<ActiveWorkplace | undefined>(undefined);

export function useWorkplace(): ActiveWorkplace {
  const workplace = use(WorkplaceContext);
  if (!workplace) throw new Error('no organization is chosen here');
  return workplace;
}

export const workplacePath = ({ organizationId, mode }: Workplace) => `/${organizationId}/${mode}`;
