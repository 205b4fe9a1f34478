// The cases of the SCXML test framework: a document, and which states it is to be in after each event.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DOMParser, type Element as XmlElement } from '@xmldom/xmldom';
import { z } from 'zod';
import type { Element } from './element.ts';

const script = z.object({
  initialConfiguration: z.array(z.string()),
  events: z.array(
    z.object({
      /** Milliseconds. */
      after: z.number().optional(),
      event: z.object({ name: z.string(), data: z.unknown().optional() }),
      nextConfiguration: z.array(z.string()),
    }),
  ),
});

export interface Case {
  /** Its folder and file, without their endings. */
  readonly name: string;
  readonly document: Element;
  readonly script: z.infer<typeof script>;
}

const { resolve } = createRequire(import.meta.url);
const folder = join(dirname(resolve('@scion-scxml/test-framework/package.json')), 'test');

export const cases: readonly Case[] = globSync('*/*.scxml', { cwd: folder })
  .filter((path) => existsSync(join(folder, path.replace(/scxml$/, 'json'))))
  .sort()
  .map((path) => ({
    name: path.replace(/(\.txml)?\.scxml$/, ''),
    document: documentAt(join(folder, path)),
    script: script.parse(JSON.parse(readFileSync(join(folder, path.replace(/scxml$/, 'json')), 'utf8'))),
  }));

function documentAt(path: string): Element {
  const { documentElement } = new DOMParser({ onError: () => undefined }).parseFromString(
    readFileSync(path, 'utf8'),
    'text/xml',
  );
  if (!documentElement) throw new TypeError(`${path} is not a document`);
  return elementOf(documentElement, dirname(path));
}

function elementOf(xml: XmlElement, beside: string): Element {
  const attributes = Object.fromEntries([...xml.attributes].map(({ name, value }) => [name, value]));
  const inner = [...xml.childNodes].filter((node): node is XmlElement => node.nodeType === 1);
  const element: Element = {
    name: xml.localName ?? xml.nodeName,
    attributes,
    children: inner.map((child) => elementOf(child, beside)),
    text: xml.textContent ?? '',
  };
  return loaded(element, beside);
}

/** What stands in a file beside the document is taken into it. */
function loaded(element: Element, beside: string): Element {
  const { src, ...attributes } = element.attributes;
  const path = join(beside, (src ?? '').replace(/^file:/, ''));
  if (src === undefined || !['script', 'data'].includes(element.name) || !existsSync(path)) return element;
  return { ...element, attributes, text: readFileSync(path, 'utf8') };
}
