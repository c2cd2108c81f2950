import { Tooltip } from '@mantine/core';
import { useFormats } from '../../base/language.tsx';
import classes from './attempt-line.module.css';
import { isAccepted } from './outcome-text.ts';

interface Props {
  attempts: { startedAt: string; statusCode: number | null; error: string | null }[];
  nextAttemptAt: string | null;
}

/**
 * Draws the attempts from left to right, and the next one hollow. Pauses grow from seconds to hours, so places go by the logarithm of
 * the time. The list of attempts below says the same in words.
 */
export function AttemptLine({ attempts, nextAttemptAt }: Props) {
  const { dateTime } = useFormats();
  const marks = attempts.map((attempt) => ({
    at: Date.parse(attempt.startedAt),
    state: isAccepted(attempt) ? 'accepted' : 'failed',
  }));
  if (nextAttemptAt) marks.push({ at: Date.parse(nextAttemptAt), state: 'next' });
  marks.sort((one, other) => one.at - other.at);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || first === last) return null;
  const reach = (at: number) => Math.log1p((at - first.at) / 1_000);
  return (
    <div aria-hidden className={classes.figure}>
      <div className={classes.line}>
        {marks.map(({ at, state }) => (
          <Tooltip key={at} label={dateTime(new Date(at))}>
            <span
              className={classes.mark}
              data-state={state}
              style={{ left: `${(100 * reach(at)) / (reach(last.at) || 1)}%` }}
            />
          </Tooltip>
        ))}
      </div>
      <div className={classes.ends}>
        <span>{dateTime(new Date(first.at))}</span>
        <span>{dateTime(new Date(last.at))}</span>
      </div>
    </div>
  );
}
