import type { ReactNode } from 'react';
import classes from './clipped-text.module.css';

/** What others typed, in its own direction and in at most two lines; all of it in a tooltip. */
export function ClippedText({ children }: { children: string | null }) {
  if (children === null) return '—';
  return (
    <span dir="auto" title={children} className={classes.text}>
      {children}
    </span>
  );
}

/** All of it, in a column of a table: of any length, and never squeezed to a column of letters. */
export function TypedText({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className={classes.typed}>
      {children}
    </span>
  );
}

/** The same for an e-mail address: broken by a letter or two it would read as another, so that it is only where it is very long. */
export function WholeText({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className={classes.whole}>
      {children}
    </span>
  );
}
