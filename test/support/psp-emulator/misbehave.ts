import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Fault } from './faults.ts';
import type { EmulatedPsp, Reply } from './psp.ts';

interface Scene {
  response: ServerResponse;
  rejections: EmulatedPsp['rejections'];
  /** Does what the request asks for. */
  act: () => Promise<Reply>;
  payNewest: (notify: 'once' | 'never') => Promise<void>;
  tellAll: () => Promise<void>;
}

const textOf = ({ body }: Reply): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

export function answer(response: ServerResponse, reply: Reply): void {
  const isJson = typeof reply.body === 'object';
  response.writeHead(reply.status, {
    ...(isJson && { 'content-type': 'application/json' }),
    ...reply.headers,
  });
  response.end(textOf(reply));
}

type Misbehaviour = (scene: Scene, fault: Fault) => Promise<void> | void;

/** One that gives no answer of the PSP's own; what was asked for is done first when the fault says so. */
const without =
  (end: (response: ServerResponse) => void): Misbehaviour =>
  async (scene, { isDone }) => {
    if (isDone) await scene.act();
    end(scene.response);
  };

const rejecting =
  (rejection: keyof EmulatedPsp['rejections']): Misbehaviour =>
  ({ response, rejections }) => {
    answer(response, rejections[rejection]);
  };

/** As Bradesco's gateway sends it (bacen/pix-api, issue 535). */
const soapFault = `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><soapenv:Fault>
<faultcode>soapenv:Server</faultcode><faultstring>Policy Falsified</faultstring>
</soapenv:Fault></soapenv:Body></soapenv:Envelope>`;

const misbehaviours: Record<Fault['kind'], Misbehaviour> = {
  hang: without(() => undefined),
  reset: without(cut),
  error: without((response) => {
    answer(response, { status: 500, body: '<html>Internal Server Error</html>' });
  }),
  soap_fault: without((response) => {
    answer(response, { status: 500, headers: { 'content-type': 'text/xml' }, body: soapFault });
  }),
  busy: without((response) => {
    answer(response, { status: 429, headers: { 'retry-after': '1' } });
  }),
  redirect: without((response) => {
    answer(response, { status: 302, headers: { location: '/elsewhere' } });
  }),
  oversize: without((response) => {
    answer(response, { status: 200, body: { filler: 'x'.repeat(2_097_152) } });
  }),
  reject: rejecting('request'),
  reject_payer: rejecting('payer'),
  reject_credential: rejecting('credential'),
  not_found: rejecting('route'),
  async tell_first({ act, tellAll, response }) {
    const reply = await act();
    await tellAll();
    answer(response, reply);
  },
  async slow({ act, response }, { milliseconds }) {
    const reply = await act();
    await delay(milliseconds);
    answer(response, reply);
  },
  async pay_before({ act, payNewest, response }) {
    await payNewest('never');
    answer(response, await act());
  },
  async pay_first({ act, payNewest, response }) {
    const reply = await act();
    await payNewest('once');
    answer(response, reply);
  },
  async wrap({ act, response }) {
    const reply = await act();
    answer(response, { ...reply, body: { data: reply.body } });
  },
  async truncate({ act, response }) {
    const reply = await act();
    const text = textOf(reply);
    answer(response, { ...reply, body: text.slice(0, text.length / 2) });
  },
  async cut({ act, response }) {
    const reply = await act();
    const text = textOf(reply);
    response.writeHead(reply.status, { 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  },
};

/** Answers badly, late or not at all. */
export const misbehave = async (fault: Fault, scene: Scene): Promise<void> =>
  misbehaviours[fault.kind](scene, fault);

function cut({ socket }: ServerResponse): void {
  // A TLS socket knows no reset.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket?.resetAndDestroy();
}
