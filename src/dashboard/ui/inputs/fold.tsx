import { Button, Collapse, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';

interface FoldProps {
  label: string;
  /** Keeps it open while one of the fields is wrong. */
  hasError: boolean;
  children: ReactNode;
}

/** Hides fields that few people need behind a button. */
export function Fold({ label, hasError, children }: FoldProps) {
  const [isOpened, { toggle }] = useDisclosure(false);
  const isOpen = isOpened || hasError;
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {label}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack pt="sm">{children}</Stack>
      </Collapse>
    </div>
  );
}
