import { ActionIcon } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { texts, useTexts } from '../../../base/language.tsx';

const messages = texts(
  { up: (name: string) => `Mover ${name} para cima`, down: (name: string) => `Mover ${name} para baixo` },
  { up: (name: string) => `Move ${name} up`, down: (name: string) => `Move ${name} down` },
);

/** Announced to those who do not see the order. */
export const movedTexts = texts(
  { moved: (name: string, place: number, count: number) => `${name}: posição ${place} de ${count}` },
  { moved: (name: string, place: number, count: number) => `${name}: position ${place} of ${count}` },
);

interface Props {
  name: string;
  index: number;
  count: number;
  onMove: (by: -1 | 1) => void;
}

/** Moves an entry of a list whose order counts. */
export function MoveButtons({ name, index, count, onMove }: Props) {
  const text = useTexts(messages);
  const sides = [
    { label: text.up(name), by: -1, Icon: ArrowUp },
    { label: text.down(name), by: 1, Icon: ArrowDown },
  ] as const;
  return sides.map(({ label, by, Icon }) => {
    const isAtEnd = index + by < 0 || index + by >= count;
    return (
      <ActionIcon
        key={by}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        // Stays focusable, so that whoever moves an entry to the end with the keyboard keeps their place.
        aria-disabled={isAtEnd}
        data-disabled={isAtEnd || undefined}
        onClick={() => {
          if (!isAtEnd) onMove(by);
        }}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  });
}
