import { z } from 'zod';

/** Only the REST reference marks what goes beyond the specification. */
const restMark = 'Beyond the specification: ';

const withoutRestMark = (text: string): string => {
  if (!text.startsWith(restMark)) return text;
  const rest = text.slice(restMark.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

/** Takes the descriptions of fields from a zod schema, so that GraphQL repeats none of them. Throws if one is missing. */
export function descriptionsOf<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): Record<keyof Shape & string, string> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const descriptions = Object.entries(properties).map(([name, property]) => {
    const description = typeof property === 'object' ? property.description : undefined;
    if (description === undefined) throw new Error(`${name} has no description`);
    return [name, withoutRestMark(description)];
  });
  return Object.fromEntries(descriptions) as Record<keyof Shape & string, string>;
}

export const forSignedInUsers = 'Signed-in users only.';
