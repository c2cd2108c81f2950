import { Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Writes 4:09, 1:04:09 or 2 d 01:04. */
function remainingText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return `${days} d ${twoDigits(hours)}:${twoDigits(minutes)}`;
  if (hours > 0) return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return `${minutes}:${twoDigits(seconds % 60)}`;
}

interface CountdownProps {
  until: string;
  /** Stands before the time that remains. */
  label: string;
  /** Replaces both once no time remains. */
  ended: string;
}

/** The timer role keeps screen readers from announcing every second. */
export function Countdown({ until, label, ended }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  useInterval(
    () => {
      setNow(Date.now());
    },
    1_000,
    { autoInvoke: true },
  );
  const remaining = Date.parse(until) - now;
  if (remaining <= 0) return ended;
  return (
    <>
      {label}{' '}
      <Text span inherit role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {remainingText(remaining)}
      </Text>
    </>
  );
}
