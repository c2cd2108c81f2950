import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { Asked } from './automatic.ts';
import type { BacenFlavour, BacenSwitch } from './bacen-bank.ts';
import { type Violation, written } from './bacen-wire.ts';
import type { EmulatedCharge, EmulatedPix, Ledger } from './ledger.ts';
import type { Notification, Reply } from './psp.ts';

export interface AutomaticOptions {
  base: string;
  patchBase: string;
  flavour: BacenFlavour;
  ledger: Ledger;
  has: (name: BacenSwitch) => boolean;
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
  absent: (type: string, nome: string) => Reply;
  patchRefusal: (path: string) => Reply | undefined;
  toldOfPix: (charge: EmulatedCharge, pix: EmulatedPix) => Notification;
}

export type AutomaticApi = ReturnType<typeof apiOf>;

/** What recurrences and debits of the API Pix share. */
export function apiOf(options: AutomaticOptions) {
  const { base, patchBase, ledger, has, refused } = options;
  const outbox: Notification[] = [];
  const journal: Asked[] = [];
  const turns: (() => void)[] = [];
  return {
    ...options,
    outbox,
    journal,
    /** What the receiver's PSP does by itself when it is asked next. */
    turns,
    turn(): void {
      for (const each of turns) each();
    },
    today: () => brasiliaDay(ledger.now()),
    at: (path: string) => new RegExp(base + path),
    patchAt: (path: string) => new RegExp(`(?:${base}|${patchBase})${path}`),
    done: (status: number, body: object): Reply => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: written(body, has),
    }),
    against: (type: string, razao: string, propriedade = ''): Reply =>
      refused(400, type, 'operacao_invalida', [{ razao, propriedade }]),
    tell(path: '/rec' | '/cobr', body: object): void {
      const notification = { path, query: {}, headers: {}, body: written(body, has) };
      outbox.push({ ...notification, hasCertificate: !has('unsigned') });
    },
  };
}

/** Whether a list that is asked for with this query has one with these values. */
export const isAsked = (query: URLSearchParams, values: Record<string, string | undefined>): boolean =>
  Object.entries(values).every(([name, value]) => (query.get(name) ?? value) === value);
