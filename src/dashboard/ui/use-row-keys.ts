import { useHotkeys } from '@mantine/hooks';
import { type RefObject, useRef } from 'react';

/** J and K move the focus between the rows' links, and the arrows do within the table; Enter follows one. */
export function useRowKeys(isOn: boolean): RefObject<HTMLTableElement | null> {
  const table = useRef<HTMLTableElement>(null);
  const move = (step: 1 | -1, isArrow: boolean) => (event: KeyboardEvent) => {
    const links = [...(table.current?.querySelectorAll<HTMLAnchorElement>('td:first-child a') ?? [])];
    const place = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (!isOn || links.length === 0 || (isArrow && place < 0)) return;
    event.preventDefault();
    const next = place < 0 ? 0 : Math.min(Math.max(place + step, 0), links.length - 1);
    links[next]?.focus();
  };
  const options = { preventDefault: false };
  useHotkeys([
    ['j', move(1, false), options],
    ['k', move(-1, false), options],
    ['ArrowDown', move(1, true), options],
    ['ArrowUp', move(-1, true), options],
  ]);
  return table;
}
