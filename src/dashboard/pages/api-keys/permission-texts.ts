import type { Permission } from '../../../core/base/key-permissions.ts';
import { texts } from '../../base/language.tsx';

export const permissionTexts = texts<Record<Permission, string>>(
  {
    'payments:create': 'Criar cobranças',
    'payments:cancel': 'Cancelar cobranças',
    'payments:refund': 'Estornar pagamentos',
    'webhooks:manage': 'Gerenciar endpoints de webhook',
  },
  {
    'payments:create': 'Create payments',
    'payments:cancel': 'Cancel payments',
    'payments:refund': 'Refund payments',
    'webhooks:manage': 'Manage webhook endpoints',
  },
);
