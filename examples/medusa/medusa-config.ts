import { defineConfig } from '@medusajs/framework/utils';

const { env } = process;

export default defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    http: {
      storeCors: env.STORE_CORS ?? '',
      adminCors: env.ADMIN_CORS ?? '',
      authCors: env.AUTH_CORS ?? '',
      jwtSecret: env.JWT_SECRET,
      cookieSecret: env.COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: './src/modules/pix',
            id: 'pix',
            options: { baseUrl: env.PIX_URL, apiKey: env.PIX_API_KEY, webhookSecret: env.WEBHOOK_SECRET },
          },
        ],
      },
    },
  ],
});
