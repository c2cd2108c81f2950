import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openSession, personalClient, signIn } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

interface Session {
  id: string;
  isCurrent: boolean;
}

const listText = '{ sessions { id createdAt updatedAt ipAddress userAgent isCurrent } }';
const endText = 'mutation ($id: ID!) { endSession(id: $id) }';

test('people see where they are signed in, and end one session at once', async () => {
  const here = await openSession(app);
  const cookie = await signIn(app, here);
  const there = personalClient(app, cookie, { organizationId: here.organizationId, mode: 'test' });
  const { body } = await here.client.graphql(listText);
  const sessions = body.data.sessions as Session[];
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  const other = sessions.find(({ isCurrent }) => !isCurrent);

  const ended = await here.client.graphql(endText, { id: other?.id });
  expect(ended.body.data.endSession).toBe(true);
  expect((await there.graphql(listText)).status).toBe(401);
  expect((await here.client.graphql(listText)).body.data.sessions).toEqual([
    expect.objectContaining({ isCurrent: true }),
  ]);
  expect((await here.client.graphql(endText, { id: other?.id })).body.data.endSession).toBe(false);
  const { body: log } = await here.client.graphql('{ auditLog { edges { node { action subject } } } }');
  expect(log.data.auditLog.edges).toContainEqual({ node: { action: 'session.end', subject: other?.id } });
});

test("nobody sees or ends another person's sessions", async () => {
  const [mine, theirs] = [await openSession(app), await openSession(app)];
  const idOf = async ({ client }: typeof mine) =>
    ((await client.graphql(listText)).body.data.sessions as Session[]).map(({ id }) => id);
  const [id] = await idOf(theirs);
  expect(await idOf(mine)).not.toContain(id);
  expect((await mine.client.graphql(endText, { id })).body.data.endSession).toBe(false);
  expect((await mine.client.graphql(endText, { id: 'x' })).body.data.endSession).toBe(false);
  expect(await idOf(theirs)).toEqual([id]);
});
