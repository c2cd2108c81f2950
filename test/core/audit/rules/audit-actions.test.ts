import { expect, test } from '@jest/globals';
import { actionsOfGroup, auditActions, auditGroups } from '../../../../src/core/audit/rules/audit-actions.ts';

const all = Object.values(auditActions).flat();

test('each action of the audit log is in exactly one group', () => {
  expect(all.filter((action, at) => all.indexOf(action) !== at)).toEqual([]);
});

test('groups and categories are combined', () => {
  expect(actionsOfGroup('payers', 'views')).toEqual(['payer.view', 'payment.export']);
  expect(actionsOfGroup('payers', 'changes')).toEqual(['person.forget', 'person.forgotten']);
  expect(actionsOfGroup('keys', 'sign_ins')).toEqual([]);
  const parts = (['changes', 'sign_ins', 'views'] as const).flatMap((kind) =>
    auditGroups.flatMap((group) => actionsOfGroup(group, kind)),
  );
  expect(parts.toSorted()).toEqual(all.toSorted());
});
