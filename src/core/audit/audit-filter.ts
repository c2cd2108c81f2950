import { z } from 'zod';
import { auditGroups, auditKinds, nobodies } from './rules/audit-actions.ts';
import { isUuid } from '../base/ids.ts';

const isNobody = (text: string): boolean => nobodies.some((nobody) => nobody === text);

/** Which entries of the log are listed: those that pass every filter. */
export const auditFilterSchema = z.object({
  actor: z
    .string({ error: 'must be given once' })
    .trim()
    .toLowerCase()
    .refine(
      (text) => isUuid(text) || isNobody(text),
      `must be the id of a user or API key, ${nobodies.join(' or ')}`,
    )
    .optional()
    .meta({ description: 'Only entries of this actor: id of a user or API key, `operator` or `unknown`.' }),
  group: z
    .enum(auditGroups, { error: `must be one of ${auditGroups.join(', ')}` })
    .optional()
    .meta({ description: 'Only actions of this group.' }),
  kind: z
    .enum(auditKinds, { error: `must be one of ${auditKinds.join(', ')}` })
    .optional()
    .meta({ description: 'Only entries of this category.' }),
  subject: z
    .string({ error: 'must be given once' })
    .trim()
    .toLowerCase()
    .refine(isUuid, 'must be the id of what was acted on')
    .optional()
    .meta({
      description:
        'Only entries with this `subject`, such as a payment id, and views of several payments with it.',
    }),
  from: z.date().optional().meta({ description: 'Only entries from then on.' }),
  to: z.date().optional().meta({ description: 'Only entries before then.' }),
});

/** Null means the same as absent. */
export type AuditQuery = {
  [Name in keyof z.input<typeof auditFilterSchema>]?: z.input<typeof auditFilterSchema>[Name] | null;
};
