import type { ReactNode } from 'react';
import classes from './clipped-text.module.css';

/** Shows what others typed in its own direction and in at most two lines; a tooltip has all of it. */
export function ClippedText({ children }: { children: string | null }) {
  if (children === null) return '—';
  return (
    <span dir="auto" title={children} className={classes.text}>
      {children}
    </span>
  );
}

/** Shows all of it in a column of a table, however long, and never squeezes it to a column of letters. */
export function TypedText({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className={classes.typed}>
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
