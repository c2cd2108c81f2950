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

const barsOf = (values: Series['values'], top: number): string =>
  values
    .map((value, place) =>
      value ? `M${place + bar.start} 1v${-value / top}h${bar.width}v${value / top}` : '',
    )
    .join('');

export interface BarsProps {
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
