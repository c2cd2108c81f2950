import type { AutomaticPix } from './automatic.ts';
import { apiOf, type AutomaticOptions } from './bacen-automatic-api.ts';
import { debitsAt } from './bacen-automatic-cobr.ts';
import { recurrencesAt } from './bacen-automatic-rec.ts';

/** The account that debits go to here, as settings of a credential. */
export const receivingAccount = {
  recurrenceBranch: '9708',
  recurrenceAccount: '012682',
  recurrenceAccountType: 'checking',
};

/** Pix Automático of the API Pix 2.9.0, from the document and its examples. */
export function bacenAutomatic(options: AutomaticOptions) {
  const api = apiOf(options);
  const recurrences = recurrencesAt(api, (rec) => {
    debits.callOffThoseOf(rec);
  });
  const debits = debitsAt(api, (idRec) => recurrences.recs.find((each) => each.idRec === idRec));
  const { outbox, journal } = api;
  const automatic: AutomaticPix = { outbox, journal, ...recurrences.controls, ...debits.controls };
  return { automatic, routes: [...recurrences.routes, ...debits.routes] };
}
