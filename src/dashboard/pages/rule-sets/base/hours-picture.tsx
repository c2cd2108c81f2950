import { Fragment } from 'react';
import { includesTime, type Weekday } from '../../../../core/routing/rules/time-window.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import type { Accounts } from './accounts.ts';
import { Band, Picture } from './picture.tsx';
import type { Rules } from './documents.ts';
import classes from './picture.module.css';
import { useWeekdays } from './weekdays.ts';

const messages = texts({ caption: 'Horários' }, { caption: 'Hours' });

/** It may still be typed. */
type Window = Omit<Rules['when'][number], 'credentialId'> & { credentialId: string | null };

const midnight = '24:00';

/** Percent of a day that have passed. */
const placeOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) / 14.4;
};

interface Part {
  from: string;
  to: string;
  index: number;
}

/** The parts of a day for which a window decides: the first one that includes them. */
function partsOf(windows: readonly Window[], day: Weekday): Part[] {
  const typed = windows.filter(({ from, to }) => from && to);
  const edges = ['00:00', midnight, ...typed.flatMap(({ from, to }) => [from, to])];
  const sorted = [...new Set(edges)].toSorted();
  const parts: Part[] = [];
  for (const [place, from] of sorted.slice(0, -1).entries()) {
    const index = windows.findIndex((window) => typed.includes(window) && includesTime(window, day, from));
    const to = sorted[place + 1] ?? midnight;
    const last = parts.at(-1);
    if (last?.index === index && last.to === from) last.to = to;
    else if (index >= 0) parts.push({ from, to, index });
  }
  return parts;
}

interface HoursPictureProps {
  windows: readonly Window[];
  accounts: Accounts;
  onEdit: ((field: string) => void) | undefined;
}

/** Draws a week, and in it the hours that go before everything else. */
export function HoursPicture({ windows, accounts, onEdit }: HoursPictureProps) {
  const text = useTexts(messages);
  const weekdays = useWeekdays();
  if (windows.length === 0) return null;
  return (
    <Picture caption={text.caption}>
      <div className={classes.week}>
        {weekdays.all.map(({ day, name }) => (
          <Fragment key={day}>
            <span>{name}</span>
            <div className={classes.day}>
              {partsOf(windows, day).map(({ from, to, index }) => {
                const id = windows[index]?.credentialId ?? null;
                const account = accounts.get(id ?? '')?.name ?? '';
                return (
                  <Band
                    key={from}
                    credentialId={id}
                    accounts={accounts}
                    title={`${name} ${from}–${to} ${account}`}
                    start={placeOf(from)}
                    width={placeOf(to) - placeOf(from)}
                    onEdit={
                      onEdit &&
                      (() => {
                        onEdit(`when.${index}`);
                      })
                    }
                  >
                    {account}
                  </Band>
                );
              })}
            </div>
          </Fragment>
        ))}
        <div className={classes.hours}>
          {[0, 6, 12, 18, 24].map((hour) => (
            <span key={hour}>{hour} h</span>
          ))}
        </div>
      </div>
    </Picture>
  );
}
