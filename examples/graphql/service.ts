import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const { PIX_URL = 'http://localhost:3000', PIX_API_KEY = '' } = process.env;

export const url = `${PIX_URL}/graphql`;
export const headers = { 'X-API-Key': PIX_API_KEY };

export const socket = createClient({
  url: url.replace('http', 'ws'),
  connectionParams: headers,
  webSocketImpl: WebSocket, // Browsers, and Node from 22 on, have their own.
});

/** Plays the payer, for payments of a test key. */
export const pay = (id: string) =>
  fetch(`${PIX_URL}/v1/sandbox/payments/${id}/pay`, { method: 'POST', redirect: 'error', headers });
