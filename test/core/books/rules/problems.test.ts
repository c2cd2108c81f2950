import { expect, test } from '@jest/globals';
import { unreadableMembersOf, unreadableText } from '../../../../src/core/books/rules/problems.ts';

test.each([[[]], [['valor']], [['valor', 'devolucoes.0.valor']]])(
  'the members %j are read back from their text',
  (members) => {
    expect(unreadableMembersOf(unreadableText(members))).toEqual(members);
  },
);

test.each([[null], ['the statement lists a Pix twice']])('%j names none', (text) => {
  expect(unreadableMembersOf(text)).toEqual([]);
});
