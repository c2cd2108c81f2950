import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import { dashboardTests, expectAccessible, expectCount, expectDescribed } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addMember, createPerson, postSignIn, signIn } from '../support/people.ts';
import { totpCode } from '../support/totp.ts';

const dashboard = dashboardTests();

/** Tells the page what a browser tells it when its tab is opened again. */
const lookAgain = (page: Page) => page.evaluate('void window.dispatchEvent(new Event("visibilitychange"))');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface Identity {
  email: string;
  password: string;
}

async function enter(page: Page, { email, password }: Identity): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Fulana de Tal' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** Goes through the profile as far as the code of the app. */
async function beginTwoStep(page: Page, password: string) {
  await button(page, 'Enable').click();
  const dialog = page.getByRole('dialog', { name: 'Two-step verification' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = await dialog.getByText(/^[A-Z2-7]{32,}$/).innerText();
  return { dialog, uri: `otpauth://totp/x?secret=${secret}` };
}

/** As a person does it. Answers what they keep. */
async function enableTwoStep(page: Page, password: string, next = 'Disable') {
  const { dialog, uri } = await beginTwoStep(page, password);
  await dialog.getByLabel('6-digit code').fill('abc');
  await dialog.getByRole('button', { name: 'Verify code' }).click();
  await dialog.getByText('Incorrect code.').waitFor();
  const code = totpCode(uri);
  await dialog.getByLabel('6-digit code').fill(code);
  await dialog.getByRole('button', { name: 'Verify code' }).click();
  const codes = page.getByRole('dialog', { name: 'Backup codes' });
  await codes.waitFor();
  const backupCodes = await codes.getByRole('listitem').allInnerTexts();
  await codes.getByRole('button', { name: 'I’ve saved them' }).click();
  await button(page, next).waitFor();
  return { uri, usedCode: code, backupCodes };
}

test('a wrong password is reported, and the right one leads to the requested page', async () => {
  const page = await dashboard.newPage();
  const person = await createPerson(dashboard.app);
  await page.goto(`${dashboard.app.baseUrl}/dashboard/${person.organizationId}/test/members`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
  await enter(page, { ...person, password: 'not the password' });
  await page.getByText('Incorrect e-mail or password.').waitFor();
  await enter(page, person);
  await page.getByRole('heading', { name: 'People' }).waitFor();
});

test('what is missing or wrong stands at its field, in the language of the page', async () => {
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.app.baseUrl}/healthz`);
  await page.evaluate(`localStorage.setItem('pix-language', 'pt')`);
  await page.goto(`${dashboard.app.baseUrl}/dashboard`);
  const [email, password] = [page.getByLabel('E-mail'), page.getByLabel('Senha', { exact: true })];
  await email.fill('maria');
  await button(page, 'Entrar').click();
  await expectDescribed(email, /Informe um e-mail válido\./);
  await expectDescribed(password, /Campo obrigatório\./);
  expect(await email.evaluate((field) => field.matches(':focus'))).toBe(true);
  await expectAccessible(page);
  await email.fill('maria@example.com');
  await page.getByText('Informe um e-mail válido.').waitFor({ state: 'detached' });
});

test('whoever enabled two-step verification signs in with a code of the app', async () => {
  const { page, ...person } = await dashboard.open({ path: '/profile' });
  await expectAccessible(page);
  const { uri, usedCode } = await enableTwoStep(page, person.password);
  await signOut(page);
  await enter(page, person);
  await page.getByLabel('Code').fill(usedCode);
  await button(page, 'Verify').click();
  await page.getByText('This code has already been used. Wait for the next one.').waitFor();
  await page.getByLabel('Code').fill(totpCode(uri, Date.now() + 30_000));
  await button(page, 'Verify').click();
  await page.getByRole('heading', { name: 'My profile' }).waitFor();

  await button(page, 'Disable').click();
  const dialog = page.getByRole('dialog', { name: 'Two-step verification' });
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await dialog.getByText('Incorrect password.').waitFor();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await button(page, 'Enable').waitFor();
});

test('backup codes are shown though a look at the person was under way as the code replaced the session', async () => {
  const { page, password } = await dashboard.open({ path: '/profile' });
  const { dialog, uri } = await beginTwoStep(page, password);
  const isReplaced = page.waitForResponse(
    (response) => response.url().endsWith('/verify-totp') && response.ok(),
  );
  let looks = 0;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Me')) return route.fallback();
    looks += 1;
    if (looks > 1) return route.fallback();
    await isReplaced;
    const extensions = { statusCode: 401, code: 'UNAUTHENTICATED', reason: 'unauthenticated' };
    return route.fulfill({ status: 401, json: { errors: [{ message: 'no session', extensions }] } });
  });
  await dialog.getByLabel('6-digit code').fill('abc');
  await dialog.getByRole('button', { name: 'Verify code' }).click();
  await dialog.getByText('Incorrect code.').waitFor();
  await eventually(() => expect(looks).toBe(1));
  await dialog.getByLabel('6-digit code').fill(totpCode(uri));
  await dialog.getByRole('button', { name: 'Verify code' }).click();
  const codes = page.getByRole('dialog', { name: 'Backup codes' });
  await codes.waitFor();
  await eventually(() => expect(looks).toBeGreaterThan(1));
  expect(await codes.getByRole('listitem').count()).toBeGreaterThan(1);
});

longTest(
  'whoever needs two-step verification does nothing before it is enabled, and then goes on',
  async () => {
    const owner = await dashboard.open({ path: '/members' });
    const { organizationId } = owner;
    const { page, password } = await dashboard.open({ role: 'support', organizationId, path: '/members' });
    const section = owner.page.getByRole('region', { name: 'Required two-step verification' });
    await section.getByLabel('Support').check();
    await section.getByRole('button', { name: 'Save' }).click();
    await owner.page.getByText('Requirement saved.').waitFor();

    await page.getByRole('link', { name: 'Credentials' }).click();
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    await expectCount(page.getByRole('table'), 0);
    await expectAccessible(page);
    await enableTwoStep(page, password, 'Continue');
    await button(page, 'Continue').click();
    await page.getByRole('heading', { name: 'Credentials', exact: true }).waitFor();
    await owner.page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  },
);

longTest('a backup code stands in for the app, once', async () => {
  const { page, ...person } = await dashboard.open({ path: '/profile' });
  const { backupCodes } = await enableTwoStep(page, person.password);
  const useCode = async () => {
    await signOut(page);
    await enter(page, person);
    await button(page, 'Use a backup code').click();
    await page.getByLabel('Backup code').fill(backupCodes[0] ?? '');
    await button(page, 'Verify').click();
  };
  await useCode();
  await page.getByRole('heading', { name: 'My profile' }).waitFor();
  await useCode();
  await page.getByText('Incorrect code.').waitFor();
});

longTest('after the sign-out the back button shows nothing', async () => {
  const { page, go } = await dashboard.open({ path: '/members' });
  await go('/api-keys');
  await signOut(page);
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(page.url()).toContain('/members');
  await expectCount(page.getByRole('table'), 0);
});

longTest(
  'whoever signs in after somebody else, in another tab, sees nothing of them in the first',
  async () => {
    const { page, client, organizationId, go } = await dashboard.open();
    const payer = { name: 'Maria da Silva' };
    const { body } = await client.post('/v1/payments', { amount: 5, payer });
    await go(`/payments/${body.id}`);
    await page.getByText('Maria da Silva').waitFor();
    await button(page, 'Cancel payment').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel payment' });
    await dialog.waitFor();

    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { level: 1 }).waitFor();
    await signOut(other);
    await enter(other, await createPerson(dashboard.app, { organizationId, role: 'viewer' }));
    await other.getByText('Maria ***').waitFor();

    // Only who is signed in is answered: what the first tab shows then is what it had.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Me')) await route.continue();
    });
    await lookAgain(page);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Maria da Silva').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('Maria da Silva');
  },
);

longTest('a failed sign-out is reported, and can be repeated', async () => {
  const { page } = await dashboard.open({ path: '/' });
  await page.route('**/auth/sign-out', (route) => route.abort());
  const leave = async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Fulana de Tal' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await leave();
  await page.getByText('You are still signed in: the service did not respond. Try again.').waitFor();
  await page.unroute('**/auth/sign-out');
  await leave();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

describe('when the time of a session is over', () => {
  /** A session lasts seven days at most: of these five seconds are left when the page asks for it. */
  const openForm = async () => {
    const opened = await dashboard.open();
    const { page, userId, go } = opened;
    const { databaseUrl } = dashboard.app;
    const nearlyOver = `UPDATE session SET expires_at = now() + interval '1 hour',
      created_at = now() - interval '7 days' + interval '5 seconds' WHERE user_id = $1`;
    await query(databaseUrl, nearlyOver, [userId]);
    const isAsked = page.waitForResponse('**/auth/get-session');
    await go('/api-keys');
    await isAsked;
    await button(page, 'Create key').click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name').fill('Half a form');
    await eventually(async () => {
      const over = 'SELECT FROM session WHERE user_id = $1 AND expires_at < now()';
      expect(await query(databaseUrl, over, [userId])).toHaveLength(1);
    });
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    return { ...opened, form };
  };

  longTest('the page waits behind the sign-in, and goes on for the same person', async () => {
    const { form, ...opened } = await openForm();
    const { page, client } = opened;
    await form.waitFor({ state: 'hidden' });
    await page.getByText('Your session has expired.').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/API keys|Create key|Fulana/);
    const reached: unknown[] = [];
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement?.closest("main")?.innerText'));
    }
    expect(reached.filter((text) => typeof text === 'string' && !text.includes('Sign in'))).toEqual([]);
    await expectAccessible(page);

    await enter(page, opened);
    await form.waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Half a form');
    await form.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog', { name: 'Your new key' })
      .getByRole('button', { name: 'I’ve copied it' })
      .click();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('No payments yet').waitFor();
    await client.post('/v1/payments', { amount: 1, externalId: 'after the sign-in' });
    await page.getByRole('row', { name: 'after the sign-in' }).waitFor();
  });

  longTest('anybody else finds a page of their own', async () => {
    const { page, form, organizationId } = await openForm();
    await enter(page, await createPerson(dashboard.app, { organizationId }));
    await page.getByRole('row', { name: 'test key' }).waitFor();
    await expectCount(form, 0);
    await button(page, 'Create key').click();
    expect(await form.getByLabel('Name').inputValue()).toBe('');
  });
});

longTest('a page that is looked at asks for its session every hour', async () => {
  const { page, go } = await dashboard.open();
  await page.clock.install();
  const isAsked = page.waitForResponse('**/auth/get-session');
  await go('/api-keys');
  await isAsked;
  const isAskedAgain = page.waitForResponse('**/auth/get-session');
  await page.clock.fastForward('01:00:01');
  expect((await isAskedAgain).status()).toBe(200);
});

longTest('a session that ended elsewhere leads to the sign-in, and then back to the same page', async () => {
  const { page, ...person } = await dashboard.open({ path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  const address = page.url();
  const cookie = await signIn(dashboard.app, person);
  await postSignIn(dashboard.app, '/revoke-other-sessions', {}, { Cookie: cookie });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain('No payments yet');
  await enter(page, person);
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  expect(page.url()).toBe(address);
});

test('whoever has a temporary password chooses one of their own before anything else', async () => {
  const page = await dashboard.newPage();
  const person = await createPerson(dashboard.app, { mustChangePassword: true });
  await page.goto(`${dashboard.app.baseUrl}/dashboard/${person.organizationId}/test/members`);
  await enter(page, person);
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Temporary password').fill(person.password);
  await page.getByLabel('New password').fill('too short');
  await button(page, 'Save and continue').click();
  await page.getByText('The new password must have at least 12 characters.').waitFor();
  await page.getByLabel('New password').fill('long enough for this');
  await button(page, 'Save and continue').click();
  await page.getByRole('row', { name: person.email }).waitFor();
});

longTest('whoever lost their password chooses one with a link', async () => {
  const person = await createPerson(dashboard.app);
  const { url } = await dashboard.app.services.passwords.reset(person.email);
  const page = await dashboard.newPage();
  await page.goto(`${dashboard.app.baseUrl}${new URL(url).pathname}${new URL(url).hash}`);
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('New password').fill('long enough for this');
  await button(page, 'Save password').click();
  await enter(page, { ...person, password: 'long enough for this' });
  await page.getByRole('banner').getByRole('button', { name: 'Fulana de Tal' }).waitFor();
});

longTest(
  'whoever was removed from the last organization learns whom to ask, and continues once invited',
  async () => {
    const { page, userId, organizationId, email } = await dashboard.open({ path: '/' });
    const { organizations, members } = dashboard.app.services;
    const other = await organizations.create('Another shop');
    await createPerson(dashboard.app, { organizationId });
    await members.remove(operatorFor(organizationId), userId);
    await page.getByRole('heading', { name: 'No organization' }).waitFor();
    await page.getByText(email).waitFor();
    await expectAccessible(page);
    await addMember(dashboard.app, { userId, email }, other.id, 'viewer');
    await button(page, 'Check again').click();
    // The address is still that of the organization that they were removed from.
    await page.getByRole('link', { name: 'Go to my organization' }).click();
    await page.getByRole('banner').getByText('Another shop').waitFor();
  },
);

test('a script that got into the page is refused', async () => {
  const { page } = await dashboard.open({ path: '/profile' });
  const outcome: unknown = await page.evaluate(`(async () => {
    const violation = new Promise((resolve) => addEventListener('securitypolicyviolation', resolve));
    const script = document.createElement('script');
    script.textContent = 'window.isStolen = true';
    document.body.append(script);
    return { refused: (await violation).effectiveDirective, isStolen: 'isStolen' in window };
  })()`);
  expect(outcome).toEqual({ refused: 'script-src-elem', isStolen: false });
});
