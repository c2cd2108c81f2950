import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import compression from 'compression';
import express, { Router } from 'express';
import { pageHeaders, readOnly, untilBuilt } from '../base/pages.ts';

/** A page may have the name of a folder: `operating` and `operating/backups`. */
const pagePath = /^\/[\w/-]*[\w-]$/;

const pictures = ['.png', '.svg'];

/** Serves files of the repository as text, to be read: browsers take TypeScript for a video, which they download. */
function setHeaders(response: ServerResponse, path: string): void {
  if (!pictures.includes(extname(path))) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
}

/** Serves the documentation built into `directory`; its pages have no extension in their addresses. */
export function docsPages(directory: string, isProduction: boolean): Router {
  // Browsers ask each time whether theirs is the newest.
  const options = { acceptRanges: false, maxAge: 0 };
  const router = Router().use(readOnly, pageHeaders([], []), compression());
  if (!isProduction) router.use(untilBuilt(directory, 'documentation'));
  router.use('/files', express.static(join(directory, 'files'), { ...options, redirect: false, setHeaders }));
  router.use((request, response, next) => {
    if (!pagePath.test(request.path)) {
      next();
      return;
    }
    response.sendFile(`${request.path.slice(1)}.html`, { ...options, root: directory }, (error) => {
      if (error && !response.headersSent) next();
    });
  });
  router.use(express.static(directory, options));
  return router.use((request, response, next) => {
    if (request.accepts('json', 'html') !== 'html') next();
    else {
      const folder = request.path.startsWith('/pt/') ? 'pt/' : '';
      response.status(404).sendFile(`${folder}404.html`, { ...options, root: directory });
    }
  });
}
