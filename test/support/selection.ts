import { z } from 'zod';

interface Described {
  properties?: Record<string, Described>;
  items?: Described;
}

function fieldsOf({ properties, items }: Described): string {
  if (items) return fieldsOf(items);
  if (!properties) return '';
  const members = Object.entries(properties).map(([name, member]) => `${name} ${fieldsOf(member)}`);
  return `{ ${members.join(' ')} }`;
}

/** A GraphQL selection of everything in a view: `{ id amount due { date … } }`. */
export const selectionOf = (view: z.ZodType): string =>
  fieldsOf(z.toJSONSchema(view, { io: 'input', unrepresentable: 'any' }) as Described);
