import { ColorSwatch, Group, Text } from '@mantine/core';
import classes from './bar-chart.module.css';

/** How much of its place a bar takes, and where it begins there. */
export const bar = { width: 0.7, start: 0.15 };

export interface Series {
  label: string;
  color: string;
  /** Null stands for no data. */
  values: readonly (number | null)[];
  /** What is said of each place, where it is not how high the bar is. */
  said?: readonly (number | null)[];
  /** Drawn as a line over the bars. */
  isLine?: boolean;
}

/** Finds a round upper bound whose half is round too. */
export function roundTop(series: readonly Series[], unitOf?: (highest: number) => number): number {
  const highest = Math.max(...series.flatMap(({ values }) => values.map((each) => each ?? 0)));
  const unit = unitOf?.(highest) ?? 1;
  const value = Math.max(1, highest / unit);
  const power = 10 ** Math.floor(Math.log10(value));
  const tops = [1, 2, 4, 6, 8, 10].map((each) => each * power);
  return (tops.find((top) => top >= value && top % 2 === 0) ?? value) * unit;
}

interface LegendProps {
  series: readonly Series[];
  /** Says what is hatched. */
  hatched?: string | false | undefined;
}

/** Stands below the plot, so that plots side by side begin at one height. */
export function Legend({ series, hatched }: LegendProps) {
  if (series.length === 0 && !hatched) return null;
  return (
    <Group gap="4px 1rem" mt="xs">
      {series.map(({ label, color, isLine }) => (
        <Group key={label} gap={6}>
          {isLine ? (
            <span className={classes.swatch} style={{ background: color }} />
          ) : (
            <ColorSwatch color={color} size={10} withShadow={false} />
          )}
          <Text size="xs">{label}</Text>
        </Group>
      ))}
      {hatched && (
        <Group gap={6}>
          <span className={classes.hatched} />
          <Text size="xs">{hatched}</Text>
        </Group>
      )}
    </Group>
  );
}

const barsOf = (values: Series['values'], top: number): string =>
  values
    .map((value, place) =>
      value ? `M${place + bar.start} 1v${-value / top}h${bar.width}v${value / top}` : '',
    )
    .join('');

/** Ends before what there is no data of, and begins anew after it. */
const lineOf = (values: Series['values'], top: number): string =>
  values
    .map((value, place) => {
      if (value === null) return '';
      return `${values[place - 1] == null ? 'M' : 'L'}${place + 0.5} ${1 - value / top}`;
    })
    .join('');

interface BarsProps {
  /** Later series are drawn over earlier ones. */
  series: readonly Series[];
  count: number;
  top: number;
  active: number | undefined;
}

export const Bars = ({ series, count, top, active }: BarsProps) => (
  <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden>
    {active !== undefined && <rect className={classes.active} x={active} width={1} height={1} />}
    <path
      className={classes.grid}
      d={`M0 0H${count}M0 .5H${count}M0 1H${count}`}
      vectorEffect="non-scaling-stroke"
    />
    {series.map(
      ({ label, color, values, isLine }) =>
        !isLine && <path key={label} d={barsOf(values, top)} style={{ fill: color }} />,
    )}
  </svg>
);

/** Apart from the bars, so that lines are not hatched. */
export const Lines = ({ series, count, top }: Omit<BarsProps, 'active'>) => (
  <svg className={classes.lines} viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden>
    {series.map(
      ({ label, color, values, isLine }) =>
        isLine && (
          <path
            key={label}
            className={classes.line}
            d={lineOf(values, top)}
            vectorEffect="non-scaling-stroke"
            style={{ stroke: color }}
          />
        ),
    )}
  </svg>
);
