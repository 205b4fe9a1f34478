// The service's settings, read from the environment once, at the start. One error names every wrong one.
import { z } from 'zod';
import type { UploadLimits } from './accounts/suggestions/upload-limits.ts';

const wholeNumber = (least: number, most: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most));

const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user@host/name' }),
  SERVICE_HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  SERVICE_PORT: wholeNumber(0, 65_535).default(8080),
  SERVICE_MODE: z.enum(['staging', 'production']).default('production'),
  /** The address that clients use; the issuer of the tokens. Without it, the address listened on. */
  SERVICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Connections to Postgres; each request holds one, and a simulated door one more while it opens. */
  SERVICE_DATABASE_CONNECTIONS: wholeNumber(2, 1_000).default(20),
  /** A JSON body beyond it is refused before it fills the memory; the largest valid one is some 20 kB. */
  SERVICE_BODY_LIMIT_BYTES: wholeNumber(1_000, 100_000_000).default(262_144),
  SERVICE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** interface: "The token expires after a short time". */
  SERVICE_TOKEN_LIFETIME_SECONDS: wholeNumber(1, 86_400).default(900),
  /** How long a graceful stop waits for requests under way before it cuts them. */
  SERVICE_STOP_GRACE_SECONDS: wholeNumber(0, 600).default(20),
  /** Limits of UploadAccountSuggestions, with what each prevents: accounts/suggestions/upload-limits.ts. */
  SERVICE_UPLOAD_FILE_BYTES: wholeNumber(1_000, 200_000_000).default(20_000_000),
  SERVICE_UPLOAD_UNZIPPED_BYTES: wholeNumber(1_000, 500_000_000).default(250_000_000),
  SERVICE_UPLOAD_ROWS: wholeNumber(1, 1_000_000).default(100_000),
  SERVICE_UPLOAD_SECONDS: wholeNumber(1, 600).default(60),
  SERVICE_UPLOAD_MEMORY_MEGABYTES: wholeNumber(32, 8_192).default(768),
  SERVICE_UPLOAD_CONCURRENT: wholeNumber(1, 1_000).default(8),
});

export interface Settings {
  readonly databaseUrl: string;
  readonly databaseConnections: number;
  readonly host: string;
  readonly port: number;
  readonly mode: 'staging' | 'production';
  readonly url: string | undefined;
  readonly bodyLimitBytes: number;
  readonly logLevel: string;
  readonly tokenLifetimeSeconds: number;
  readonly stopGraceSeconds: number;
  readonly upload: UploadLimits;
}

/** Throws an Error that names every setting that is wrong and what was expected of it. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  if (error) {
    const lines = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`The service cannot start; these settings are wrong:\n${lines.join('\n')}`);
  }
  return {
    databaseUrl: data.DATABASE_URL,
    databaseConnections: data.SERVICE_DATABASE_CONNECTIONS,
    host: data.SERVICE_HOST,
    port: data.SERVICE_PORT,
    mode: data.SERVICE_MODE,
    url: data.SERVICE_URL?.replace(/\/+$/, ''),
    bodyLimitBytes: data.SERVICE_BODY_LIMIT_BYTES,
    logLevel: data.SERVICE_LOG_LEVEL,
    tokenLifetimeSeconds: data.SERVICE_TOKEN_LIFETIME_SECONDS,
    stopGraceSeconds: data.SERVICE_STOP_GRACE_SECONDS,
    upload: {
      fileBytes: data.SERVICE_UPLOAD_FILE_BYTES,
      unzippedBytes: data.SERVICE_UPLOAD_UNZIPPED_BYTES,
      rows: data.SERVICE_UPLOAD_ROWS,
      seconds: data.SERVICE_UPLOAD_SECONDS,
      memoryMegabytes: data.SERVICE_UPLOAD_MEMORY_MEGABYTES,
      concurrent: data.SERVICE_UPLOAD_CONCURRENT,
    },
  };
}
