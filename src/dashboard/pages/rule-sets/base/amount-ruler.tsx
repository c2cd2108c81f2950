import { Box, ScrollArea, Text } from '@mantine/core';
import { texts, useTexts } from '../../../base/language.tsx';
import classes from './amount-ruler.module.css';
import type { Accounts, Stretch } from './accounts.ts';
import { useAmounts } from './amounts.ts';

const messages = texts(
  {
    caption: 'Ordem de tentativas por valor',
    credential: 'Credencial',
    place: (place: number) => (place > 0 ? `${place}ª` : '—'),
    before: (place: string) => `(antes ${place})`,
  },
  {
    caption: 'Order of attempts by amount',
    credential: 'Credential',
    place: (place) => (place > 0 ? `${place}.` : '—'),
    before: (place) => `(was ${place})`,
  },
);

interface AmountRulerProps {
  /** With the order before a change, where there is one. */
  stretches: readonly (Stretch & { idsBefore?: readonly string[] })[];
  accounts: Accounts;
}

/** Draws the amounts from left to right and a band for each credential where it is tried. Renders nothing where all amounts go the same way. */
export function AmountRuler({ stretches, accounts }: AmountRulerProps) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const ids = [
    ...new Set(stretches.flatMap(({ credentialIds, idsBefore = [] }) => [...credentialIds, ...idsBefore])),
  ];
  if (stretches.length < 2) return null;
  return (
    <Box>
      <Text size="sm" fw={600} mb={6} aria-hidden>
        {text.caption}
      </Text>
      <ScrollArea type="auto" offsetScrollbars="x" viewportProps={{ tabIndex: 0 }}>
        <table className={classes.ruler} aria-label={text.caption}>
          <thead>
            <tr>
              <th scope="col">{text.credential}</th>
              {stretches.map(({ from, to }) => (
                <th key={from} scope="col">
                  {amountsOf(from, to)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => (
              <tr key={id}>
                <th scope="row">{accounts.get(id)?.name}</th>
                {stretches.map(({ from, credentialIds, idsBefore = credentialIds }) => {
                  const place = credentialIds.indexOf(id) + 1;
                  const before = idsBefore.indexOf(id) + 1;
                  const was = before === place ? '' : ` ${text.before(text.place(before))}`;
                  return (
                    <td key={from} data-place={Math.min(place, 2)}>
                      {(place > 0 || before > 0) && <span>{`${text.place(place)}${was}`}</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Box>
  );
}
