import { Box, ScrollArea, Text } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import classes from './amount-ruler.module.css';
import { type Accounts, stretchesOf } from './base/accounts.ts';
import { useAmounts } from './base/amounts.ts';
import type { RuleSet } from './base/documents.ts';

const messages = texts(
  {
    caption: 'Ordem de tentativas por valor',
    credential: 'Credencial',
    place: (place: number) => `${place}ª`,
  },
  {
    caption: 'Order of attempts by amount',
    credential: 'Credential',
    place: (place: number) => `${place}.`,
  },
);

/** Draws the amounts from left to right and a band for each credential where it is tried. Renders nothing where all amounts go the same way. */
export function AmountRuler({ ruleSet, accounts }: { ruleSet: RuleSet; accounts: Accounts }) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const { mode } = useWorkplace();
  const stretches = stretchesOf(mode, ruleSet, accounts);
  const ids = [...new Set(stretches.flatMap(({ credentialIds }) => credentialIds))];
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
                {stretches.map(({ from, credentialIds }) => {
                  const place = credentialIds.indexOf(id) + 1;
                  return (
                    <td key={from} data-place={Math.min(place, 2)}>
                      {place > 0 && <span>{text.place(place)}</span>}
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
