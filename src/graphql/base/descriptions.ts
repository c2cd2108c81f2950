import { z } from 'zod';

/** Takes the descriptions of fields from a zod schema, so that GraphQL repeats none of them. Throws if one is missing. */
export function descriptionsOf<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): Record<keyof Shape & string, string> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const descriptions = Object.entries(properties).map(([name, property]) => {
    const description = typeof property === 'object' ? property.description : undefined;
    if (description === undefined) throw new Error(`${name} has no description`);
    return [name, description];
  });
  return Object.fromEntries(descriptions) as Record<keyof Shape & string, string>;
}

export const forSignedInUsers = 'Signed-in users only.';

export const forWebhookManagers = 'Signed-in users, and keys with the permission webhooks:manage.';
