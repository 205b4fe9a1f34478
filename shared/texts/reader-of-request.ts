// For whom a server renders its texts: whoever asks, by the header Accept-Language.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { dutch } from './dutch.ts';
import { type Catalogue, type Locale, languages, PSEUDO_LOCALE, readBy } from './text.ts';

const catalogues: Readonly<Record<Locale, Catalogue | undefined>> = {
  en: undefined,
  nl: dutch,
  [PSEUDO_LOCALE]: undefined,
};
const readers = new AsyncLocalStorage<Locale>();
readBy(() => {
  const locale = readers.getStore();
  const catalogue = locale && catalogues[locale];
  return locale && { locale, ...(catalogue && { catalogue }) };
});

/** What is rendered within is in this language, whoever asks. */
export const inLocale = <Answer>(locale: Locale, render: () => Answer): Answer => readers.run(locale, render);

export function answerInLanguage(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'accept-language');
    readers.run(localeIn(request.headers['accept-language']), done);
  });
  // A body is read in another context.
  app.addHook('preValidation', (request, _reply, done) => {
    readers.run(localeIn(request.headers['accept-language']), done);
  });
}

/** The one of ours that is wanted most; English, where none is. */
export function localeIn(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .split(',', 20)
    .map((each) => {
      const [tag = '', ...params] = each.trim().split(';');
      const q = params.map((param) => /^\s*q=(\d(?:\.\d+)?)$/.exec(param)?.[1]).find((found) => found);
      return { tag: tag.toLowerCase(), q: Number(q ?? 1) };
    })
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q);
  for (const { tag } of wanted) {
    if (tag === PSEUDO_LOCALE.toLowerCase()) return PSEUDO_LOCALE;
    const language = languages.find((each) => tag === each || tag.startsWith(`${each}-`));
    if (language) return language;
  }
  return 'en';
}
