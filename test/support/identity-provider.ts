import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Claims {
  email: string;
  email_verified: boolean;
  name?: string;
  groups?: string[];
}

export interface TestIdentityProvider {
  issuer: string;
  /** What it knows of whoever signs in there under that name. */
  know(login: string, claims: Claims): Promise<void>;
  stop(): Promise<void>;
}

/** It is at another site than the service, and a process of its own, as oidc-provider does not take objects of jest's. */
export async function startIdentityProvider(
  port: number,
  redirectUri: string,
): Promise<TestIdentityProvider> {
  const script = join(import.meta.dirname, 'identity-provider-process.js');
  const child = fork(script, [String(port), redirectUri], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    async know(login, claims) {
      await fetch(`${issuer}/people/${login}`, { method: 'PUT', body: JSON.stringify(claims) });
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
