import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { type Action, roleMay } from '../../core/base/roles.ts';
import type { Workplace } from '../api/request.ts';
import { connectLive, type Live } from '../api/live.ts';
import { SecondFactorGate, type TwoStepSetup } from '../sign-in/pages/second-factor-gate.tsx';
import { ForeignOrganizationPage } from '../sign-in/pages/foreign-organization-page.tsx';
import { NoOrganizationPage } from '../sign-in/pages/no-organization-page.tsx';
import { TimeZoneContext } from '../base/language.tsx';
import { refetchActive } from '../base/refetch-active.ts';
import { useSession } from '../base/use-session.ts';
import { WorkplaceContext, workplacePath } from '../base/use-workplace.ts';

const reconnectAfterMs = 1_000;

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const storageKey = 'pix-workplace';

function ActiveWorkplace({ organizationId, mode, children }: Workplace & { children: ReactNode }) {
  const client = useQueryClient();
  const { me, refresh } = useSession();
  const membership = me.memberships.find((each) => each.organizationId === organizationId);
  const [connection, setConnection] = useState(0);
  const live = useMemo(() => {
    const refetchAll = () => void refetchActive(client, { queryKey: [organizationId, mode] });
    const reconnect = async () => {
      await refresh();
      await delay(reconnectAfterMs);
      setConnection(connection + 1);
      refetchAll();
    };
    return connectLive({ organizationId, mode }, refetchAll, () => void reconnect());
  }, [organizationId, mode, client, refresh, connection]);
  const closed = useRef<Live>(undefined);
  useEffect(() => {
    // Effects rerun with a closed connection when the page is visible again.
    if (closed.current === live) setConnection((last) => last + 1);
    return () => {
      closed.current = live;
      live.close();
    };
  }, [live]);
  const isMember = !!membership;
  useEffect(() => {
    if (isMember) localStorage.setItem(storageKey, workplacePath({ organizationId, mode }));
  }, [organizationId, mode, isMember]);
  const value = useMemo(
    () =>
      membership && {
        organizationId,
        mode,
        live,
        organizationName: membership.organizationName,
        role: membership.role,
        may: (action: Action) => roleMay(membership.role, action),
      },
    [organizationId, mode, live, membership],
  );
  if (!value) return <ForeignOrganizationPage />;
  return (
    <TimeZoneContext value={membership?.timeZone}>
      <WorkplaceContext value={value}>{children}</WorkplaceContext>
    </TimeZoneContext>
  );
}

interface Props {
  twoStep: TwoStepSetup;
  children: ReactNode;
}

function RequireSecondFactor({ organizationId, twoStep, children }: Props & { organizationId: string }) {
  const { me } = useSession();
  const membership = me.memberships.find((each) => each.organizationId === organizationId);
  if (!membership) return children;
  return (
    <SecondFactorGate
      key={organizationId}
      organizationName={membership.organizationName}
      isNeeded={membership.needsSecondFactor}
      twoStep={twoStep}
    >
      {children}
    </SecondFactorGate>
  );
}

/** Organization and mode are part of the path, so that links can be shared. */
export function WorkplaceProvider({ twoStep, children }: Props) {
  const { me } = useSession();
  const [first] = me.memberships;
  const last = localStorage.getItem(storageKey);
  if (!first) return <NoOrganizationPage />;
  const isMine = me.memberships.some(({ organizationId }) => last?.startsWith(`/${organizationId}/`));
  return (
    <Switch>
      <Route path="/:organizationId/:mode/*?">
        {({ organizationId, mode }) =>
          organizationId && (mode === 'test' || mode === 'live') ? (
            <Router base={workplacePath({ organizationId, mode })}>
              <RequireSecondFactor organizationId={organizationId} twoStep={twoStep}>
                <ActiveWorkplace key={organizationId + mode} organizationId={organizationId} mode={mode}>
                  {children}
                </ActiveWorkplace>
              </RequireSecondFactor>
            </Router>
          ) : (
            <Redirect to="/" />
          )
        }
      </Route>
      <Route>
        <Redirect
          replace
          to={isMine && last ? last : workplacePath({ organizationId: first.organizationId, mode: 'test' })}
        />
      </Route>
    </Switch>
  );
}
