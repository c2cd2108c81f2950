import { AppShell, NavLink, ScrollArea } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useTexts } from '../../base/language.tsx';
import { AttentionMark } from './attention-mark.tsx';
import { OpenDifferences } from './open-differences.tsx';
import { PendingApprovals } from './pending-approvals.tsx';
import { places, placeTexts } from '../places.ts';

const isAt = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location.startsWith(path);

export function Navigation({ onChosen }: { onChosen: () => void }) {
  const text = useTexts(placeTexts);
  const [location] = useLocation();
  return (
    <AppShell.Section grow component={ScrollArea}>
      {places.map(([path, name, Icon]) => (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={text[name]}
          leftSection={<Icon size={18} aria-hidden />}
          {...(name === 'overview' && { rightSection: <AttentionMark /> })}
          {...(name === 'books' && { rightSection: <OpenDifferences /> })}
          {...(name === 'approvals' && { rightSection: <PendingApprovals /> })}
          active={isAt(path, location)}
          {...(isAt(path, location) && { 'aria-current': 'page' })}
          onClick={onChosen}
        />
      ))}
    </AppShell.Section>
  );
}
