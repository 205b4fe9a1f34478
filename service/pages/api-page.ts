// The page at /docs: the API description by Swagger UI, from its npm package, with nothing from elsewhere. In staging it
// calls; in production it only shows, because a call there books a real locker.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Settings } from '../settings.ts';

/** The files of the package that the page loads, with their types. */
export const swaggerFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;
export type SwaggerFile = keyof typeof swaggerFiles;

const inPackage = (file: string): URL => new URL(import.meta.resolve(`swagger-ui-dist/${file}`));

export const swaggerFile = (file: SwaggerFile): Promise<string> => readFile(inPackage(file), 'utf8');

/** It is in the paths of the files, so that a browser may keep them: another version has other paths. */
export async function swaggerVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(inPackage('package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}

export const apiPage = (version: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API description: Locker Shipment and Account Integration Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${version}/swagger-ui.css">
<script src="/docs/${version}/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
<div id="description"><noscript>This page needs JavaScript. <a href="/openapi.json">/openapi.json</a> has the same.</noscript></div>
</html>
`;

const startOptions = (mode: Settings['mode']) => ({
  url: '/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: mode === 'staging',
  supportedSubmitMethods: mode === 'staging' ? ['get', 'post'] : [],
  // Its default sends the address of the description to a validator on the internet.
  validatorUrl: null,
});

export const startScript = (mode: Settings['mode']): string =>
  `SwaggerUIBundle(${JSON.stringify(startOptions(mode))});\n`;
