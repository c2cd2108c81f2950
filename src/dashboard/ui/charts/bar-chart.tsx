import { ColorSwatch, Group, Paper, Text } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import classes from './bar-chart.module.css';
import { bar, Bars, type BarsProps, type Series } from './bars.tsx';

const messages = texts({ empty: 'Sem dados neste período' }, { empty: 'No data in this period' });

/** Other bars are parts of those with this color. */
export const wholeColor = 'light-dark(var(--mantine-color-gray-5), var(--mantine-color-gray-6))';

interface BarBoundsProps {
  series: readonly Series[];
  place: number;
  count: number;
  top: number;
}

/** Where the bars of a place are, so that nothing beside them is hatched. */
const boundsOf = ({ series, place, count, top }: BarBoundsProps) => {
  const heights = series.map(({ values, isLine }) => (isLine ? 0 : (values[place] ?? 0)));
  return {
    left: `${((place + bar.start) / count) * 100}%`,
    width: `${(bar.width / count) * 100}%`,
    height: `${(Math.max(...heights) / top) * 100}%`,
  };
};

/** Finds a round upper bound whose half is round too. */
function roundTop(series: readonly Series[], unitOf?: (highest: number) => number): number {
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
function Legend({ series, hatched }: LegendProps) {
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

/** Ends before what there is no data of, and begins anew after it. */
const lineOf = (values: Series['values'], top: number): string =>
  values
    .map((value, place) => {
      if (value === null) return '';
      return `${values[place - 1] == null ? 'M' : 'L'}${place + 0.5} ${1 - value / top}`;
    })
    .join('');

/** Apart from the bars, so that lines are not hatched. */
const Lines = ({ series, count, top }: Omit<BarsProps, 'active'>) => (
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

interface BarChartProps {
  title: string;
  /** The labels of the x-axis. */
  places: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  formatTick?: (value: number) => string;
  /** Where the y-axis ends; derived from the values by default. */
  top?: number;
  /** The place that is not over yet, with what to say of it, there and in the legend. */
  unfinished?: { place: number; label: string; legend: string } | undefined;
  /** Opens what a bar counts, on a click or Enter. */
  open?: ((place: number) => void) | undefined;
  /** The unit of the y-axis, such as 60 for seconds shown as minutes. Defaults to 1. */
  unitOf?: (highest: number) => number;
}

/** Draws values over time. An invisible slider makes them accessible to keyboard, touch and screen readers. */
export function BarChart({ title, places, series, format, open, unfinished, ...given }: BarChartProps) {
  const text = useTexts(messages);
  const [active, setActive] = useState<number>();
  const last = places.length - 1;
  const { formatTick = format, top = roundTop(series, given.unitOf) } = given;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const valuesAt = (place: number): string[] =>
    series.map(({ label, values, said = values }) => {
      const value = said[place];
      return `${label}: ${value == null ? '—' : format(value)}`;
    });
  /** Centres a label on its place, but keeps it within the chart. */
  const at = (place: number) => {
    const share = `${((place + 0.5) / places.length) * 100}%`;
    return { left: share, transform: `translateX(-${share})` };
  };
  const nameOf = (place: number) =>
    place === unfinished?.place ? `${places[place]} (${unfinished.label})` : places[place];
  const labelEvery = Math.max(1, Math.ceil(last / 4));
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActive(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * places.length))));
  };
  const leave = () => {
    setActive(undefined);
  };
  return (
    <Paper withBorder p="md" m={0} component="figure">
      <Text component="figcaption" fw={600} mb="lg">
        {title}
      </Text>
      <div className={classes.plot}>
        <div className={classes.ticks} aria-hidden>
          {!isEmpty && [top, top / 2, 0].map((tick) => <span key={tick}>{formatTick(tick)}</span>)}
        </div>
        <div className={classes.area} onPointerMove={point} onPointerLeave={leave}>
          <Bars series={series} count={places.length} top={top} active={active} />
          {unfinished && (
            <div
              className={classes.unfinished}
              style={boundsOf({ series, place: unfinished.place, count: places.length, top })}
            />
          )}
          <Lines series={series} count={places.length} top={top} />
          {isEmpty && (
            <Text size="sm" c="dimmed" className={classes.empty}>
              {text.empty}
            </Text>
          )}
          <input
            type="range"
            className={classes.range}
            aria-label={title}
            aria-valuetext={[nameOf(active ?? last), ...valuesAt(active ?? last)].join(', ')}
            min={0}
            max={last}
            value={active ?? last}
            onChange={(event) => {
              setActive(Number(event.currentTarget.value));
            }}
            data-opens={open !== undefined}
            onClick={() => active !== undefined && open?.(active)}
            onKeyDown={({ key }) => key === 'Enter' && open?.(active ?? last)}
            onFocus={() => {
              setActive(active ?? last);
            }}
            onBlur={leave}
          />
          {active !== undefined && (
            <div className={classes.tooltip} style={at(active)} aria-hidden>
              <strong>{nameOf(active)}</strong>
              {valuesAt(active).map((line) => (
                <div key={line}>{line}</div>
              ))}
            </div>
          )}
        </div>
        <div className={classes.labels} aria-hidden>
          {places.map(
            (label, place) =>
              place % labelEvery === 0 && (
                <span key={place} style={at(place)}>
                  {label}
                </span>
              ),
          )}
        </div>
      </div>
      <Legend
        series={series.length > 1 ? series : []}
        hatched={unfinished && places[unfinished.place] !== undefined && unfinished.legend}
      />
    </Paper>
  );
}
