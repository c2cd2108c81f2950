import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyIcon } from '../ui/copying/copy-button.tsx';
import classes from './facts.module.css';

export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A fact with a button to copy it. */
export function Copied({ name, value }: { name: string; value: string }) {
  return (
    <Fact name={name}>
      <Group gap={4} wrap="nowrap">
        {value} <CopyIcon value={value} label={name} />
      </Group>
    </Fact>
  );
}
