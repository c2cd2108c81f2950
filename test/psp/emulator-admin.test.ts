import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAdmin } from '../support/psp-emulator/admin.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';

let emulator: PspEmulator;
let adminUrl: string;

interface Listed {
  command: string;
  about: string;
  body?: object;
}

beforeAll(async () => {
  emulator = await startEmulator(defineBacen('standard'), { port: 0 });
  adminUrl = await startAdmin(emulator);
});

afterAll(async () => {
  await emulator.acceptConnections();
  await emulator.stop();
});

const send = (command: string, body?: object) => {
  const [method = '', path = ''] = command.split(' ');
  return fetch(adminUrl + path, { method, ...(body && { body: JSON.stringify(body) }) });
};

const list = async () => (await (await send('GET /')).json()) as Listed[];

describe('the admin page of an emulator', () => {
  test('says what each route is for, with a body that works', async () => {
    const routes = await list();
    expect(routes.length).toBeGreaterThan(15);
    for (const { command, about, body } of routes.filter((route) => !route.command.includes(':id'))) {
      const response = await send(command, body);
      expect({ command, status: response.status, about }).toEqual({
        command,
        status: 200,
        about: expect.stringMatching(/.{8}/),
      });
    }
    const faulty = routes.find(({ command }) => command === 'POST /faults');
    expect(faulty?.about).toContain('pay_first');
  });

  test.each([
    ['a route that it does not have', 'POST /nothing', undefined, 'GET / lists them'],
    ['a charge that it does not have', 'POST /charges/1/pay', { notify: 'once' }, '1'],
    ['a day that there is not', 'POST /charges/1/pay', { day: '2026-02-30' }, 'YYYY-MM-DD'],
    ['a body that it does not know', 'POST /faults', { kind: 'fire' }, 'kind'],
    ['a switch that it does not have', 'PUT /switches', { noSuch: true }, 'there are'],
  ])('refuses %s, and says why', async (_, command, body, message) => {
    const response = await send(command, body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(message);
  });
});
