// The settings of the console, read from the environment once. One error names everything that is wrong.
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { FLOWS_AUDIENCE, TENANT_CLAIM } from '../contract/wire/token.ts';
import { type ConsoleRights, isUserName, rightsIn } from '../shared/settings/console-rights.ts';
import { outreachSettings, readOutreachSettings } from '../shared/settings/outreach-settings.ts';
import { readBy, readSettings } from '../shared/settings/read-settings.ts';
import { logLevel, metricsAddress, wholeNumber } from '../shared/settings/values.ts';
import type { IssuerSettings } from './access/access-tokens.ts';
import type { OpenIdSettings } from './sign-in/open-id.ts';

/** `group=look,decide; another=inbox:claims`. The rights stand behind the last =, because names of groups may hold some. */
function groupsIn(text: string): ReadonlyMap<string, ConsoleRights> {
  const groups = new Map<string, ConsoleRights>();
  for (const entry of text.split(/[;\n]/).map((each) => each.trim())) {
    if (entry === '') continue;
    const at = entry.lastIndexOf('=');
    const group = entry.slice(0, Math.max(at, 0)).trim();
    if (group === '') throw new Error(`must be <group>=<roles>, with semicolons between; got "${entry}"`);
    const rights = rightsIn(entry.slice(at + 1));
    if (typeof rights === 'string') throw new Error(`of the group "${group}": ${rights}`);
    if (groups.has(group)) throw new Error(`has the group "${group}" twice`);
    groups.set(group, rights);
  }
  return groups;
}

/** What is secret on the way to the provider must not be read by others: http is for this machine alone. */
const isSafeIssuer = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

const schema = z
  .object({
    /** The folder in which the sessions are kept. */
    LOCKERFLOW_HOME: z.string().min(1).default('.lockerflow'),
    CONSOLE_HOST: z.string().min(1).default('127.0.0.1'),
    /** 0 takes any free port. */
    CONSOLE_PORT: wholeNumber(0, 65_535).default(8088),
    /** The address by which browsers call the console, where a proxy stands before it. */
    CONSOLE_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The file of the users. */
    CONSOLE_USERS: z.string().min(1).optional(),
    /** The secret of the link that signs in once; `npm start` makes it. */
    CONSOLE_LINK_SECRET: z.string().min(32).optional(),
    /** An OpenID provider by which people sign in. */
    CONSOLE_OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .refine(isSafeIssuer, 'must begin with https://, unless the provider is on this machine')
      .optional(),
    CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional(),
    CONSOLE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    CONSOLE_OIDC_SCOPE: z
      .string()
      .refine((text) => text.split(' ').includes('openid'), 'must have the scope openid')
      .default('openid profile email'),
    CONSOLE_OIDC_NAME_CLAIM: z.string().min(1).default('preferred_username'),
    CONSOLE_OIDC_GROUPS_CLAIM: z.string().min(1).default('groups'),
    /** What the people of each group may. */
    CONSOLE_OIDC_GROUPS: readBy(groupsIn).default(new Map()),
    CONSOLE_SESSION_HOURS: wholeNumber(1, 720).default(12),
    /** Temporal's Web UI, to which the pages link. */
    CONSOLE_TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8233'),
    CONSOLE_LOG_LEVEL: logLevel,
    /** Host and port where Prometheus finds the metrics; none when empty. */
    CONSOLE_METRICS_ADDRESS: metricsAddress.optional(),
    ...outreachSettings.shape,
    /** The issuer of the access tokens with which programs call the API; without it, only signed-in people can. */
    API_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
    API_AUDIENCE: z.string().min(1).default(FLOWS_AUDIENCE),
    /** Where the issuer's keys are, if its metadata do not say that. */
    API_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The tenant whose processes are here, and the claim in which the tokens name theirs. */
    API_TENANT: z.string().min(1).optional(),
    API_TENANT_CLAIM: z.string().min(1).default(TENANT_CLAIM),
    /** By which the issuer tells programs from people, if the console does not know that of it. */
    API_PROGRAM_CLAIM: z
      .string()
      .regex(/^[^=]+=.+$/, 'must be a claim and its value: <claim>=<value>')
      .optional(),
  })
  .refine(({ API_ISSUER, API_TENANT }) => API_ISSUER === undefined || API_TENANT !== undefined, {
    path: ['API_TENANT'],
    message:
      'is required with API_ISSUER: the tenant whose processes this console shows. Only tokens that name it in API_TENANT_CLAIM are taken',
    when: () => true,
  })
  .refine(
    ({ CONSOLE_USERS, CONSOLE_LINK_SECRET, CONSOLE_OIDC_ISSUER }) =>
      CONSOLE_USERS !== undefined || CONSOLE_LINK_SECRET !== undefined || CONSOLE_OIDC_ISSUER !== undefined,
    {
      path: ['CONSOLE_USERS'],
      message:
        'is required: the file of the people who may sign in (npm run -s console -- user <name> <roles> makes a line of it); npm start and an OpenID provider (CONSOLE_OIDC_ISSUER) need none',
      when: () => true,
    },
  )
  .superRefine((data, context) => {
    const isOn = data.CONSOLE_OIDC_ISSUER !== undefined;
    const wrong = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (!isOn) {
      for (const name of ['CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'] as const)
        if (data[name] !== undefined)
          wrong('CONSOLE_OIDC_ISSUER', `is required with ${name}: the address of the provider`);
      return;
    }
    if (data.CONSOLE_OIDC_CLIENT_ID === undefined)
      wrong(
        'CONSOLE_OIDC_CLIENT_ID',
        'is required with CONSOLE_OIDC_ISSUER: the id by which the provider knows the console',
      );
    if (data.CONSOLE_OIDC_GROUPS.size === 0)
      wrong(
        'CONSOLE_OIDC_GROUPS',
        'is required with CONSOLE_OIDC_ISSUER: what the people of each group may, like desk=look,decide; claims=inbox:claims',
      );
    if (data.CONSOLE_URL === undefined && ownUrl(data.CONSOLE_HOST, data.CONSOLE_PORT) === undefined)
      wrong(
        'CONSOLE_URL',
        'is required with CONSOLE_OIDC_ISSUER: the address to which the provider sends browsers back',
      );
  });

const HOUR_MS = 3_600_000;

/** Throws an Error that names every wrong setting. */
export function readConsoleSettings(variables: Readonly<Record<string, string | undefined>>) {
  const data = readSettings('The console cannot start; these settings are wrong', schema, variables);
  return {
    home: resolve(data.LOCKERFLOW_HOME),
    host: data.CONSOLE_HOST,
    port: data.CONSOLE_PORT,
    url: data.CONSOLE_URL,
    /** The address that Temporal's Web UI links to; undefined where nobody can tell by which one browsers come. */
    linkedUrl: data.CONSOLE_URL ?? ownUrl(data.CONSOLE_HOST, data.CONSOLE_PORT),
    usersPath: data.CONSOLE_USERS,
    openId: openIdIn(data),
    linkSecret: data.CONSOLE_LINK_SECRET,
    /** The person who gets the link. */
    linkName: loginName(),
    sessionMs: data.CONSOLE_SESSION_HOURS * HOUR_MS,
    temporalUiUrl: data.CONSOLE_TEMPORAL_UI_URL.replace(/\/+$/, ''),
    logLevel: data.CONSOLE_LOG_LEVEL,
    metricsAddress: data.CONSOLE_METRICS_ADDRESS,
    outreach: readOutreachSettings(data),
    tokens: issuerIn(data),
  };
}

export type ConsoleSettings = Readonly<ReturnType<typeof readConsoleSettings>>;

function issuerIn(data: z.output<typeof schema>): IssuerSettings | undefined {
  const { API_ISSUER: issuer, API_TENANT: value } = data;
  if (issuer === undefined || value === undefined) return undefined;
  const tenant = { claim: data.API_TENANT_CLAIM, value };
  const programClaim = programClaimIn(data.API_PROGRAM_CLAIM);
  return { issuer, audience: data.API_AUDIENCE, jwksUrl: data.API_JWKS_URL, tenant, programClaim };
}

function programClaimIn(text: string | undefined): IssuerSettings['programClaim'] {
  if (text === undefined) return undefined;
  const [claim = ''] = text.split('=', 1);
  return { claim, value: text.slice(claim.length + 1) };
}

function openIdIn(data: z.output<typeof schema>): OpenIdSettings | undefined {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = data;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: data.CONSOLE_OIDC_CLIENT_SECRET,
    scope: data.CONSOLE_OIDC_SCOPE,
    nameClaim: data.CONSOLE_OIDC_NAME_CLAIM,
    groupsClaim: data.CONSOLE_OIDC_GROUPS_CLAIM,
    groups: data.CONSOLE_OIDC_GROUPS,
  };
}

/** On this machine alone, browsers come by the address on which the console listens. */
const ownUrl = (host: string, port: number): string | undefined =>
  port > 0 && (host === '127.0.0.1' || host === 'localhost') ? `http://${host}:${port}` : undefined;

/** The person who runs npm start decides under this name. */
function loginName(): string {
  try {
    const { username } = userInfo();
    return isUserName(username) ? username : 'operator';
  } catch {
    return 'operator'; // A container's user may have no name.
  }
}
