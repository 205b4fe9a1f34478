// The credentials of a connector: how its file has them, and the headers and secrets that they make.
import { z } from 'zod';
import { headerName, webAddress } from './request-parts.ts';
import { exactlyOne, type ReadFile, secretFile } from './settings-file.ts';

/** OAuth2, RFC 6749 section 4.4: for these the token service gives the token that each call has. */
export interface ClientCredentials {
  /** Where tokens are, or where a document says so (OpenID Connect Discovery). */
  readonly tokenService: { readonly tokenAddress: URL } | { readonly issuer: URL };
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authentication: 'basic' | 'body';
  /** Further parameters of the request for a token, with the scope. */
  readonly parameters: Readonly<Record<string, string>>;
}

const headerProblem = (secret: string) =>
  /^[\x20-\x7e]+$/.test(secret) ? undefined : 'must hold one line of visible ASCII';
const passwordProblem = (secret: string) =>
  /\p{Cc}/u.test(secret) ? 'must hold one line without control characters' : undefined;

function oauth2Of(read: ReadFile) {
  return z
    .strictObject({
      tokenAddress: webAddress.optional(),
      issuer: webAddress.optional(),
      clientId: z.string().min(1),
      clientSecretFile: secretFile(read, passwordProblem),
      scopes: z
        .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope, without blanks'))
        .default([]),
      parameters: z
        .record(
          z
            .string()
            .refine(
              (name) => !/^(?:grant_type|client_id|client_secret|scope)$/.test(name),
              'must be another parameter: the worker sets this one itself',
            ),
          z.string(),
        )
        .default({}),
      authentication: z.enum(['basic', 'body']).default('basic'),
    })
    .refine(({ tokenAddress, issuer }) => exactlyOne({ tokenAddress, issuer }), {
      message: 'must have exactly one of tokenAddress, issuer',
      when: () => true,
    });
}

export function credentialsIn(read: ReadFile) {
  return z
    .strictObject({
      bearerFile: secretFile(read, headerProblem).optional(),
      basic: z
        .strictObject({
          user: z.string().regex(/^[^:\p{Cc}]+$/u, 'must be a user name without a colon'),
          passwordFile: secretFile(read, passwordProblem),
        })
        .optional(),
      header: z.strictObject({ name: headerName, valueFile: secretFile(read, headerProblem) }).optional(),
      oauth2: oauth2Of(read).optional(),
    })
    .refine(exactlyOne, 'must have exactly one of bearerFile, basic, header, oauth2');
}

type Credentials = z.output<ReturnType<typeof credentialsIn>>;

interface UsedCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that no history, log or error may show. */
  readonly secrets: readonly string[];
  readonly oauth2: ClientCredentials | null;
}

export function credentialsOf({ bearerFile, basic, header, oauth2 }: Credentials): UsedCredentials {
  const sent = (name: string, text: string, ...secrets: readonly string[]): UsedCredentials => ({
    headers: { [name]: text },
    secrets,
    oauth2: null,
  });
  if (oauth2) {
    const { clientId, clientSecretFile } = oauth2;
    const secrets = [clientSecretFile, basicOfClient(clientId, clientSecretFile)];
    return { headers: {}, secrets, oauth2: clientCredentials(oauth2) };
  }
  if (bearerFile !== undefined) return sent('authorization', `Bearer ${bearerFile}`, bearerFile);
  if (header) return sent(header.name, header.valueFile, header.valueFile);
  if (!basic) return { headers: {}, secrets: [], oauth2: null };
  const token = btoa(String.fromCharCode(...new TextEncoder().encode(`${basic.user}:${basic.passwordFile}`)));
  return sent('authorization', `Basic ${token}`, token, basic.passwordFile);
}

function clientCredentials(given: NonNullable<Credentials['oauth2']>): ClientCredentials {
  const { tokenAddress, issuer, clientId, clientSecretFile, scopes, parameters, authentication } = given;
  return {
    tokenService: tokenAddress ? { tokenAddress } : { issuer: issuer as URL },
    clientId,
    clientSecret: clientSecretFile,
    authentication,
    parameters: { ...parameters, ...(scopes.length > 0 && { scope: scopes.join(' ') }) },
  };
}

/** RFC 6749 section 2.3.1: each part is encoded as in a form. */
const basicOfClient = (id: string, secret: string): string =>
  btoa([id, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length)).join(':'));
