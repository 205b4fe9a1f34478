// The hooks of third systems, as the operator declares them in a YAML or JSON file: how each sender proves itself, and what its
// requests become. Secrets are in files of their own or in variables. No message here shows one.
import { z } from 'zod';
import {
  type HmacAlgorithm,
  type HmacEncoding,
  hmacAlgorithms,
  hmacEncodings,
  isCallbackKey,
} from '../../contract/wire/callback.ts';
import { inPlainWords } from '../../contract/wire/format-issue.ts';
import {
  headerName as anyHeaderName,
  entryName,
  exactlyOne,
  lineOfIssue,
  linesOf,
  parsedSettingsFile,
  SettingsFileWrong,
} from './settings-file.ts';

/** How the sender proves itself. Of several keys and secrets each one counts, so that one can be changed without a gap. */
export type HookProof =
  /** Standard Webhooks. */
  | { readonly kind: 'standardWebhooks'; readonly keys: readonly string[]; readonly toleranceSeconds: number }
  | SignatureProof
  /** A secret in a header, after the scheme if there is one. */
  | {
      readonly kind: 'secret';
      /** In lower case. */
      readonly header: string;
      readonly scheme: 'Bearer' | 'Basic' | null;
      readonly secrets: readonly string[];
    };

/** An HMAC of the body in a header. */
export interface SignatureProof {
  readonly kind: 'signature';
  /** In lower case. */
  readonly header: string;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
  readonly prefix: string;
  readonly keys: readonly Uint8Array[];
}

/** What a request becomes. Its texts may have expressions over `body` and `headers`. */
const declaration = z.strictObject({
  type: z.string(),
  when: z.unknown().optional(),
  where: z.record(z.string(), z.unknown()),
  id: z.unknown().optional(),
  data: z.unknown().optional(),
  keepFor: z.string().optional(),
  repeatsFor: z.string().optional(),
});
export type HookDeclaration = Readonly<z.infer<typeof declaration>>;

interface Hook {
  readonly name: string;
  readonly proof: HookProof;
  readonly declaration: HookDeclaration;
}

/** Where secrets come from. Both throw an Error that says why there is none. */
export interface Secrets {
  readonly file: (path: string) => string;
  readonly variable: (name: string) => string;
}

/** @param secrets null: they are not read, and no request can be checked. Throws SettingsFileWrong, which names all errors. */
export function readHooks(text: string, secrets: Secrets | null): readonly Hook[] {
  const { data, error } = fileOf(secrets).safeParse(parsedSettingsFile(text), inPlainWords);
  if (error) throw new SettingsFileWrong(error.issues.map(lineOfIssue));
  return data;
}

// A secret that can be guessed is no proof.
const SHORTEST_SECRET = 16;

type Check = (secret: string) => string | undefined;

const isText: Check = (secret) =>
  /^[\x20-\x7e]+$/.test(secret) ? undefined : 'must have one secret a line, in visible ASCII';
const isLong: Check = (secret) =>
  secret.length >= SHORTEST_SECRET
    ? undefined
    : `must have secrets of at least ${SHORTEST_SECRET} characters`;
const isStandard: Check = (key) =>
  key.startsWith('whsec_') && isCallbackKey(key) ? undefined : 'must have one key a line: whsec_ and base64';

/** Or, in words, why there are none. */
function linesFrom(read: (from: string) => string, from: string): string[] | string {
  try {
    const lines = linesOf(read(from));
    return lines.length > 0 ? lines : 'is empty; it must hold the secret';
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** One field names a file, the other a variable; one of them is given. */
function secretFields<Name extends string>(name: Name, secrets: Secrets | null, ...checks: Check[]) {
  const read = (source: 'file' | 'variable') =>
    z
      .string()
      .min(1)
      .transform((from, context): string[] => {
        if (!secrets) return [];
        const wrong = (message: string) => {
          context.addIssue({ code: 'custom', message: `${from} ${message}`, input: from });
          return z.NEVER;
        };
        const lines = linesFrom(secrets[source], from);
        if (typeof lines === 'string') return wrong(lines);
        const [problem] = checks.flatMap((check) => lines.flatMap((line) => check(line) ?? []));
        return problem === undefined ? lines : wrong(problem);
      })
      .optional();
  return { [`${name}File`]: read('file'), [`${name}Variable`]: read('variable') } as Record<
    `${Name}File` | `${Name}Variable`,
    ReturnType<typeof read>
  >;
}

type GivenSecrets = Readonly<Record<string, unknown>>;

const oneSource = (name: string) => (given: GivenSecrets) =>
  exactlyOne({ file: given[`${name}File`], variable: given[`${name}Variable`] });
const oneSourceWords = (name: string) => ({
  message: `must have exactly one of ${name}File, ${name}Variable`,
  when: () => true,
});
const secretsIn = (name: string, given: GivenSecrets) =>
  (given[`${name}File`] ?? given[`${name}Variable`] ?? []) as readonly string[];

const headerName = anyHeaderName.transform((name) => name.toLowerCase());
const tolerance = z.number().int().min(1).max(86_400).default(300);

function signatureOf(secrets: Secrets | null) {
  return z
    .strictObject({
      header: headerName,
      ...secretFields('key', secrets, isLong),
      keyEncoding: z.enum(['text', 'hex', 'base64']).default('text'),
      algorithm: z.enum(hmacAlgorithms).default('sha256'),
      encoding: z.enum(hmacEncodings).default('hex'),
      prefix: z.string().default(''),
    })
    .refine(oneSource('key'), oneSourceWords('key'))
    .transform((given): SignatureProof => {
      const { header, algorithm, encoding, keyEncoding, prefix } = given;
      const encodingOfKey = keyEncoding === 'text' ? 'utf8' : keyEncoding;
      const keys = secretsIn('key', given).map((key) => Buffer.from(key, encodingOfKey));
      return { kind: 'signature', header, algorithm, encoding, prefix, keys };
    });
}

function proofOf(secrets: Secrets | null) {
  const standardWebhooks = z
    .strictObject({ ...secretFields('key', secrets, isStandard), toleranceSeconds: tolerance })
    .refine(oneSource('key'), oneSourceWords('key'));
  const bearer = z
    .strictObject(secretFields('token', secrets, isText, isLong))
    .refine(oneSource('token'), oneSourceWords('token'));
  const basic = z
    .strictObject({
      user: z.string().regex(/^[^:\p{Cc}]+$/u, 'must be a user name without a colon'),
      ...secretFields('password', secrets, isLong),
    })
    .refine(oneSource('password'), oneSourceWords('password'));
  const header = z
    .strictObject({ name: headerName, ...secretFields('value', secrets, isText, isLong) })
    .refine(oneSource('value'), oneSourceWords('value'));
  return z
    .strictObject({
      standardWebhooks: standardWebhooks.optional(),
      signature: signatureOf(secrets).optional(),
      bearer: bearer.optional(),
      basic: basic.optional(),
      header: header.optional(),
    })
    .refine(exactlyOne, {
      message: 'must have exactly one of standardWebhooks, signature, bearer, basic, header',
      when: () => true,
    })
    .transform((given): HookProof => {
      if (given.signature) return given.signature;
      if (given.standardWebhooks) {
        const { toleranceSeconds } = given.standardWebhooks;
        return { kind: 'standardWebhooks', keys: secretsIn('key', given.standardWebhooks), toleranceSeconds };
      }
      const inHeader = { kind: 'secret', header: 'authorization' } as const;
      if (given.bearer) return { ...inHeader, scheme: 'Bearer', secrets: secretsIn('token', given.bearer) };
      if (given.basic) {
        const { user } = given.basic;
        const all = secretsIn('password', given.basic);
        const pairs = all.map((password) => Buffer.from(`${user}:${password}`).toString('base64'));
        return { ...inHeader, scheme: 'Basic', secrets: pairs };
      }
      const { name = '' } = given.header ?? {};
      return { ...inHeader, header: name, scheme: null, secrets: secretsIn('value', given.header ?? {}) };
    });
}

function fileOf(secrets: Secrets | null) {
  const hook = declaration.extend({ verify: proofOf(secrets) });
  return z
    .strictObject({ hooks: z.record(entryName, hook) })
    .transform(({ hooks }): Hook[] =>
      Object.entries(hooks).map(([name, { verify: proof, ...rest }]) => ({ name, proof, declaration: rest })),
    );
}
