import { Badge } from '@mantine/core';

/** A state in several words, which may be wider than a phone. */
export function LongBadge({ color, children }: { color: string; children: string }) {
  return (
    <Badge
      variant="dot"
      color={color}
      tt="none"
      h="auto"
      maw="100%"
      styles={{ root: { minWidth: 0 }, label: { whiteSpace: 'normal', textAlign: 'start' } }}
    >
      {children}
    </Badge>
  );
}
