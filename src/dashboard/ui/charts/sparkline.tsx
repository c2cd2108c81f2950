import classes from './bar-chart.module.css';
import { Bars } from './bars.tsx';

const good = 'var(--mantine-color-teal-text)';
const bad = 'var(--mantine-color-red-text)';

interface SparklineProps {
  all: readonly number[];
  /** Drawn over all, so that what is seen of them failed. */
  succeeded: readonly number[];
}

/** A chart so small that it has no words: whatever is around it says the same. */
export const Sparkline = ({ all, succeeded }: SparklineProps) => (
  <div className={classes.spark}>
    <Bars
      series={[
        { label: 'all', color: bad, values: all },
        { label: 'succeeded', color: good, values: succeeded },
      ]}
      count={all.length}
      top={Math.max(1, ...all)}
      active={undefined}
    />
  </div>
);
