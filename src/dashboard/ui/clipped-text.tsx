import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './clipped-text.module.css';

/** Shows what others typed in its own direction and in one line; a tooltip has all of it. */
export function ClippedText({ children, maxWidth }: { children: string | null; maxWidth?: string }) {
  if (children === null) return <WideDash />;
  return (
    <span dir="auto" title={children} className={classes.text} style={{ maxWidth }}>
      {children}
    </span>
  );
}

/** An e-mail address that is broken by a letter or two would read as another: only a very long one is broken. */
export function WholeText({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className={classes.whole}>
      {children}
    </span>
  );
}

/** The one line of a column that is filling. */
export function LineText({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div title={title} className={classes.line}>
      {children}
    </div>
  );
}

/** Stands for nothing in a row; a card leaves it out. */
export const WideDash = () => (
  <Text span inherit visibleFrom="sm">
    —
  </Text>
);
