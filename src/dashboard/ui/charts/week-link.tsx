import { Anchor, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { Sparkline } from './sparkline.tsx';

const messages = texts(
  {
    day: (day: string, count: string, share: string) => `${day}: ${count}, ${share} com sucesso`,
  },
  { day: (day, count, share) => `${day}: ${count}, ${share} successful` },
);

const halfDayMs = 43_200_000;

interface WeekLinkProps {
  /** 24 hours each. */
  days: readonly { start: string; count: number; succeeded: number }[];
  /** What is counted, and of what: said to those who do not see where the link stands. */
  name: string;
  /** Leads to the whole charts. */
  href: string;
}

/** Draws how many requests there were on each of the last days, those that failed in red. Renders nothing where there were none. */
export function WeekLink({ days, name, href }: WeekLinkProps) {
  const text = useTexts(messages);
  const { count, day, share } = useFormats();
  const lines = days
    .filter((each) => each.count > 0)
    .map((each) => {
      // The 24 hours lie in two days: most of the later ones are of the day in which their middle is.
      const middle = new Date(Date.parse(each.start) + halfDayMs);
      return text.day(day(middle), count(each.count), share(each.succeeded / each.count));
    });
  if (lines.length === 0) return null;
  return (
    <Tooltip label={lines.join('\n')} style={{ whiteSpace: 'pre-line' }}>
      <Anchor component={Link} href={href} display="inline-block" aria-label={`${name}: ${lines.join('; ')}`}>
        <Sparkline all={days.map((each) => each.count)} succeeded={days.map((each) => each.succeeded)} />
      </Anchor>
    </Tooltip>
  );
}
