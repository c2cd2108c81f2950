import express, { type Express } from 'express';

export function createExpress(trustProxy: number | readonly string[] | false): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', typeof trustProxy === 'object' ? [...trustProxy] : trustProxy);
  return app;
}
