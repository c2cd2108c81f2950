import type { ReactNode } from 'react';
import classes from './clipped-text.module.css';

/** What people typed, in a column of a table: of any length, and never squeezed to a column of letters. */
export function TypedText({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className={classes.typed}>
      {children}
    </span>
  );
}
