// A whole OpenID Connect provider with a page to sign in: node identity-provider-process.js PORT REDIRECT_URI. PUT /people/LOGIN
// says what it knows of somebody.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import Provider from 'oidc-provider';

const [port, redirectUri] = process.argv.slice(2);
const people = new Map();
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'pix', client_secret: 'a-secret', redirect_uris: [redirectUri] }],
  claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  pkce: { required: () => true },
  cookies: { keys: ['a-key'] },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, ...people.get(accountId) }),
  }),
});
const handle = provider.callback();

createServer(async (request, response) => {
  if (request.method !== 'PUT') return handle(request, response);
  people.set(request.url.split('/').at(-1), await json(request));
  response.end();
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
