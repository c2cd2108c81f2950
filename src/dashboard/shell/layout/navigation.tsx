import { AppShell, Box, NavLink, ScrollArea, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { AttentionMark } from './attention-mark.tsx';
import { OpenDifferences } from './open-differences.tsx';
import { PendingApprovals } from './pending-approvals.tsx';
import { isPlaceOf, overviewPlace, placeGroups, type places, placeTexts } from '../places.ts';

const isAt = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location.startsWith(path);

const marks: Readonly<Record<string, ReactNode>> = {
  overview: <AttentionMark />,
  books: <OpenDifferences />,
  approvals: <PendingApprovals />,
};

interface PlaceLinkProps {
  place: (typeof places)[number];
  onChosen: () => void;
}

function PlaceLink({ place: [path, name, Icon], onChosen }: PlaceLinkProps) {
  const text = useTexts(placeTexts);
  const [location] = useLocation();
  const isHere = isAt(path, location);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // A menu that is closed on a phone is beside the screen.
    const isSeen = link.current?.checkVisibility({ visibilityProperty: true });
    if (isHere && isSeen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere]);
  return (
    <NavLink
      ref={link}
      component={Link}
      href={path}
      label={text[name]}
      py={6}
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={marks[name]}
      active={isHere}
      {...(isHere && { 'aria-current': 'page' })}
      onClick={onChosen}
    />
  );
}

export function Navigation({ onChosen }: { onChosen: () => void }) {
  const text = useTexts(placeTexts);
  const { may } = useWorkplace();
  return (
    <AppShell.Section grow component={ScrollArea}>
      <PlaceLink place={overviewPlace} onChosen={onChosen} />
      {placeGroups.map(([group, places]) => (
        <Box key={group} component="section" aria-label={text[group]} mt="sm">
          <Text size="xs" fw={600} c="dimmed" px="sm" pb={2} aria-hidden>
            {text[group]}
          </Text>
          {places.filter(isPlaceOf(may)).map((place) => (
            <PlaceLink key={place[0]} place={place} onChosen={onChosen} />
          ))}
        </Box>
      ))}
    </AppShell.Section>
  );
}
