import { roles } from '../../../core/base/roles.ts';
import { useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { roleTexts } from '../../parts/role-texts.ts';
import type { Security } from './documents.ts';
import { securityTexts } from './texts.ts';

export interface Statement {
  state: 'fine' | 'review' | 'info';
  sentence: string;
  /** Names whom or what the sentence counts. */
  names?: readonly string[];
  to: string;
  link: string;
}

const idleDays = 90;

const isLongAgo = (instant: string, now: number): boolean =>
  now - Date.parse(instant) > idleDays * 86_400_000;

/** Nobody has used it for long, counted from its creation if nobody ever has. */
const isIdle = (at: string | null, createdAt: string, now: number): boolean =>
  isLongAgo(at ?? createdAt, now);

const lastSignIns = 3;

function usePeople(): (security: Security) => Statement[] {
  const text = useTexts(securityTexts);
  const roleNames = useTexts(roleTexts);
  const { date, dateTime } = useFormats();
  return ({ members, sessions, organizationSettings }) => {
    const now = Date.now();
    const required = roles.filter((role) => organizationSettings.secondFactorRoles.includes(role));
    const withPassword = members.filter(({ hasPassword }) => hasPassword);
    // What their provider asks of them is not known here.
    const provided = members.filter(({ hasPassword }) => !hasPassword);
    const without = withPassword.filter(({ twoFactorEnabled }) => !twoFactorEnabled);
    const idle = members.filter(({ lastSignInAt, createdAt }) => isIdle(lastSignInAt, createdAt, now));
    const recent = members
      .flatMap(({ name, lastSignInAt }) => (lastSignInAt ? [{ name, at: lastSignInAt }] : []))
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    return [
      {
        state: required.length > 0 ? 'fine' : 'review',
        sentence:
          required.length > 0
            ? text.required(required.map((role) => roleNames[role]).join(', '))
            : text.notRequired,
        to: '/members',
        link: text.requirement,
      },
      {
        state: without.length > 0 ? 'review' : 'fine',
        sentence:
          without.length > 0
            ? text.withoutTwoStep(without.length)
            : provided.length > 0
              ? text.allTwoStepHere
              : text.allTwoStep,
        names: without.map(({ name }) => name),
        to: '/members',
        link: text.toPeople,
      },
      ...(provided.length > 0
        ? [
            {
              state: 'info' as const,
              sentence: text.provided(provided.length),
              names: provided.map(({ name }) => name),
              to: '/members',
              link: text.toPeople,
            },
          ]
        : []),
      {
        state: idle.length > 0 ? 'review' : 'fine',
        sentence: idle.length > 0 ? text.idle(idle.length, idleDays) : text.allActive(idleDays),
        names: idle.map(({ name, lastSignInAt: at }) => `${name} (${at ? date(at) : text.never})`),
        to: '/members',
        link: text.toPeople,
      },
      {
        state: 'info',
        sentence: text.lastSignIns,
        names: recent.slice(0, lastSignIns).map(({ name, at }) => `${name} (${dateTime(at)})`),
        to: '/audit-log?actions=access',
        link: text.toSignIns,
      },
      { state: 'info', sentence: text.sessions(sessions.length), to: '/profile', link: text.toSessions },
    ];
  };
}

function useKeys(): (security: Security) => Statement[] {
  const text = useTexts(securityTexts);
  const { date, dateTime } = useFormats();
  const { organizationId } = useWorkplace();
  const live = `~/dashboard${workplacePath({ organizationId, mode: 'live' })}`;
  return ({ apiKeys, webhookEndpoints }) => {
    const now = Date.now();
    const working = apiKeys.filter(
      ({ mode, revokedAt, expiresAt }) =>
        mode === 'live' && !revokedAt && !(expiresAt && Date.parse(expiresAt) <= now),
    );
    const unused = working.filter(({ lastUsedAt, createdAt }) => isIdle(lastUsedAt, createdAt, now));
    const unlimited = working.filter(({ allowedIps }) => allowedIps.length === 0);
    const rotating = webhookEndpoints.flatMap(({ name, url, rotatingUntil: until }) =>
      until && Date.parse(until) > now ? [text.until(name ?? new URL(url).host, dateTime(until))] : [],
    );
    const keys = { to: `${live}/api-keys`, link: text.toKeys };
    const ofKeys: Statement[] = [
      {
        state: unused.length > 0 ? 'review' : 'fine',
        sentence: unused.length > 0 ? text.unused(unused.length, idleDays) : text.allUsed(idleDays),
        names: unused.map(({ name, lastUsedAt: at }) => `${name} (${at ? date(at) : text.never})`),
        ...keys,
      },
      {
        state: unlimited.length > 0 ? 'review' : 'fine',
        sentence: unlimited.length > 0 ? text.unlimited(unlimited.length) : text.allLimited,
        names: unlimited.map(({ name }) => name),
        ...keys,
      },
    ];
    return [
      ...(working.length > 0 ? ofKeys : [{ state: 'fine' as const, sentence: text.noKeys, ...keys }]),
      {
        state: rotating.length > 0 ? 'info' : 'fine',
        sentence: rotating.length > 0 ? text.rotation(rotating.length) : text.noRotation,
        names: rotating,
        to: `${live}/webhooks`,
        link: text.toWebhooks,
      },
    ];
  };
}

function useControl(): (security: Security) => Statement[] {
  const text = useTexts(securityTexts);
  const { money } = useFormats();
  return ({ organizationSettings: { changesNeedApproval, refundApprovalAbove: above } }) => {
    const approvals = { to: '/approvals', link: text.toApprovals };
    return [
      {
        state: changesNeedApproval ? 'fine' : 'review',
        sentence: changesNeedApproval ? text.changesApproved : text.changesAlone,
        ...approvals,
      },
      {
        state: above === null ? 'review' : 'fine',
        sentence: above === null ? text.refundsAlone : text.refundsApproved(money(above)),
        ...approvals,
      },
      { state: 'info', sentence: text.recorded, to: '/audit-log', link: text.toAudit },
    ];
  };
}

/** Says in three groups what protects the organization, and what to look at. */
export function useStatements() {
  const people = usePeople();
  const keys = useKeys();
  const control = useControl();
  return (security: Security) => ({
    people: people(security),
    keys: keys(security),
    control: control(security),
  });
}
