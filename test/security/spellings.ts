// Other spellings of a path: what an attacker sends where one part of a server reads the raw text of a URL and another part
// the decoded path. Each is written to a socket as it is, because an HTTP client would normalise it.
import fc from 'fast-check';

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const at = (text: string, index: number, change: (character: string) => string) =>
  text.slice(0, index) + change(text[index] ?? '') + text.slice(index + 1);

/** One change of a path, with the place in it as an index. */
const changes: Readonly<Record<string, (path: string, index: number) => string>> = {
  encoded: (path, index) => at(path, index, percent),
  'encoded twice': (path, index) => at(path, index, (character) => percent(character).replace('%', '%25')),
  'in capitals': (path, index) => at(path, index, (character) => character.toUpperCase()),
  'with another slash': (path, index) => at(path, index, (character) => `${character}/`),
  'with a dot segment': (path, index) => at(path, slashNear(path, index), () => '/./'),
  'with a parent segment': (path, index) => at(path, slashNear(path, index), () => '/x/../'),
  'with a backslash': (path, index) => at(path, slashNear(path, index), () => '\\'),
  'with a path parameter': (path, index) => at(path, slashNear(path, index), () => ';a=b/'),
  'with a path parameter at its end': (path) => `${path};a=b`,
  'with a slash at its end': (path) => `${path}/`,
  'with a NUL': (path) => `${path}%00`,
  'with a query': (path) => `${path}?/health/live`,
  'with a fragment': (path) => `${path}#/health/live`,
  'after the path of an open route': (path) => `/health/live/..${path}`,
  'in absolute form': (path) => `http://evil.example${path}`,
  'in absolute form, with a scheme of its own': (path) => `x://evil.example${path}`,
  'with an authority': (path) => `//evil.example${path}`,
};

function slashNear(path: string, index: number): number {
  const before = path.lastIndexOf('/', index);
  return before === -1 ? path.indexOf('/') : before;
}

/** The path itself, and each change of it, near its beginning and at its end. */
export const spellingsOf = (path: string): readonly string[] => [
  ...new Set([
    path,
    ...Object.values(changes).flatMap((change) => [change(path, 1), change(path, path.length - 1)]),
  ]),
];

/** Several changes, one after the other. */
export const anySpellingOf = (path: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...Object.values(changes)), fc.nat(path.length - 1)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((chosen) => chosen.reduce((before, [change, index]) => change(before, index), path));
