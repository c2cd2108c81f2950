const names: Readonly<Record<string, string>> = {
  sandbox: 'Sandbox',
  bacen: 'API Pix (Banco Central)',
  mercadopago: 'Mercado Pago',
  asaas: 'Asaas',
  woovi: 'Woovi',
  pagarme: 'Pagar.me',
};

/** What people call a PSP. */
export const providerName = (provider: string): string => names[provider] ?? provider;
