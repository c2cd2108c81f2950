import { Box, ScrollArea, Text } from '@mantine/core';
import { texts, useTexts } from '../../../base/language.tsx';
import classes from './amount-ruler.module.css';
import { ColoredName } from './account-name.tsx';
import type { Accounts, Order, Stretch } from './accounts.ts';
import { useAmounts } from './amounts.ts';

const messages = texts(
  {
    caption: 'Ordem de tentativas por valor',
    credential: 'Credencial',
    place: (place: number) => (place > 0 ? `${place}ª` : '—'),
    share: (percent: number) => `${percent} %`,
    before: (place: string) => `(antes ${place})`,
    edit: (name: string, amounts: string) => `Editar ${name}: ${amounts}`,
  },
  {
    caption: 'Order of attempts by amount',
    credential: 'Credential',
    place: (place) => (place > 0 ? (['1st', '2nd', '3rd'][place - 1] ?? `${place}th`) : '—'),
    share: (percent) => `${percent}%`,
    before: (place) => `(was ${place})`,
    edit: (name, amounts) => `Edit ${name}: ${amounts}`,
  },
);

interface AmountRulerProps {
  /** With the order before a change, where there is one. */
  stretches: readonly (Stretch & { before?: Order })[];
  accounts: Accounts;
  /** Called for a band of credentials that are tried first. */
  onEdit?: ((stretch: Stretch, credentialId: string) => void) | undefined;
}

/**
 * Draws the amounts from left to right and a band for each credential where it is tried, with its share where a split decides. Renders
 * nothing where all amounts go the same way.
 */
export function AmountRuler({ stretches, accounts, onEdit }: AmountRulerProps) {
  const text = useTexts(messages);
  const amountsOf = useAmounts();
  const ids = [
    ...new Set(
      stretches.flatMap(({ credentialIds, before }) => [...credentialIds, ...(before?.credentialIds ?? [])]),
    ),
  ];
  const turnOf = (id: string, { credentialIds, percents }: Order) => {
    const place = credentialIds.indexOf(id) + 1;
    const percent = percents[id];
    return percent === undefined
      ? { place, words: text.place(place) }
      : { place: 1, words: text.share(percent) };
  };
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
            {ids.map((id) => {
              const name = accounts.get(id)?.name ?? id;
              return (
                <tr key={id}>
                  <th scope="row">
                    <ColoredName id={id} accounts={accounts} />
                  </th>
                  {stretches.map((stretch) => {
                    const { place, words } = turnOf(id, stretch);
                    const was = turnOf(id, stretch.before ?? stretch);
                    const label = was.words === words ? words : `${words} ${text.before(was.words)}`;
                    return (
                      <td key={stretch.from} data-place={Math.min(place, 2)}>
                        {place === 1 && onEdit ? (
                          <button
                            type="button"
                            aria-label={`${label} – ${text.edit(name, amountsOf(stretch.from, stretch.to))}`}
                            onClick={() => {
                              onEdit(stretch, id);
                            }}
                          >
                            {label}
                          </button>
                        ) : (
                          (place > 0 || was.place > 0) && <span>{label}</span>
                        )}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollArea>
    </Box>
  );
}
