import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Accounts, colorOf } from './accounts.ts';
import classes from './picture.module.css';

interface BandProps {
  /** Null while none is chosen. */
  credentialId: string | null;
  accounts: Accounts;
  title: string;
  /** Both are percentages of the whole. */
  start: number;
  width: number;
  onEdit: (() => void) | undefined;
  children: ReactNode;
}

/** What is drawn for the eye alone: what is beside it says the same in words, and is what the keyboard reaches. */
export function Picture({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <Box aria-hidden>
      <Text size="sm" fw={600} mb={6}>
        {caption}
      </Text>
      {children}
    </Box>
  );
}

/** A part of a picture, which leads to where it is edited. */
export function Band({ credentialId, accounts, title, start, width, onEdit, children }: BandProps) {
  const Element = onEdit ? 'button' : 'span';
  return (
    <Element
      {...(onEdit && { type: 'button', tabIndex: -1, onClick: onEdit })}
      className={classes.band}
      title={title}
      style={{
        color: credentialId === null ? 'var(--mantine-color-dimmed)' : colorOf(credentialId, accounts),
        left: `${start}%`,
        width: `${width}%`,
      }}
    >
      <span>{children}</span>
    </Element>
  );
}
