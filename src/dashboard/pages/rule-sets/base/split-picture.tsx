import { texts, useTexts } from '../../../base/language.tsx';
import { type Accounts, defaultOf } from './accounts.ts';
import { Band, Picture } from './picture.tsx';
import classes from './picture.module.css';

const messages = texts(
  {
    caption: 'Divisão fora das faixas',
    share: (percent: number, name: string) => `${percent} % ${name}`,
  },
  { caption: 'Split outside of the ranges', share: (percent, name) => `${percent}% ${name}` },
);

interface SplitPictureProps {
  /** They may still be typed. */
  split: readonly { credentialId: string | null; percent: number | string }[];
  defaultCredentialId: string | null;
  accounts: Accounts;
  onEdit: ((field: string) => void) | undefined;
}

/** Draws a hundred payments that no range takes. */
export function SplitPicture({ split, defaultCredentialId, accounts, onEdit }: SplitPictureProps) {
  const text = useTexts(messages);
  if (split.length === 0) return null;
  const shares = split.map(({ credentialId, percent }, index) => ({
    field: `split.${index}`,
    credentialId,
    percent: Number(percent),
  }));
  const left = 100 - shares.reduce((sum, { percent }) => sum + percent, 0);
  const defaultId = defaultCredentialId ?? defaultOf(accounts)?.id ?? null;
  const parts = [...shares, { field: 'defaultCredentialId', credentialId: defaultId, percent: left }];
  let end = 0;
  return (
    <Picture caption={text.caption}>
      <div className={classes.split}>
        {parts
          .filter(({ percent }) => percent > 0)
          .map(({ field, credentialId, percent }) => {
            const label = text.share(percent, accounts.get(credentialId ?? '')?.name ?? '');
            end += percent;
            return (
              <Band
                key={field}
                credentialId={credentialId}
                accounts={accounts}
                title={label}
                start={end - percent}
                width={percent}
                onEdit={
                  onEdit &&
                  (() => {
                    onEdit(field);
                  })
                }
              >
                {label}
              </Band>
            );
          })}
      </div>
    </Picture>
  );
}
