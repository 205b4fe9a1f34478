// Why a program cannot listen where its settings tell it to: the port, the host, and the settings that change them.

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The names of the settings that have them: one name where a setting has both. */
interface Settings {
  readonly host: string;
  readonly port: string;
}

export const portInUse = (port: number, setting: string): string =>
  `Port ${port} is in use: end the program that uses it, or set ${setting} to another`;

/** Node, Temporal's library and Temporal's server each have their own error, with these words of the system. */
export const isPortInUse = (error: unknown): boolean => isOf(error, /address already in use/i);

const isForbidden = (error: unknown) => isOf(error, /permission denied/i);
const isOfAnotherMachine = (error: unknown) =>
  isOf(error, /(address not available|cannot assign requested address|getaddrinfo)/i);

const isOf = (error: unknown, words: RegExp) => error instanceof Error && words.test(error.message);

/** Host and port of `127.0.0.1:9464` or `[::1]:9464`. */
export function addressOf(text: string): Address {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(text.slice(colon + 1)) };
}

/** The same error where it has another cause than the address. */
export function notListening(cause: unknown, { host, port }: Address, settings: Settings): unknown {
  const error = (words: string) => new Error(words, { cause });
  if (isPortInUse(cause)) return error(portInUse(port, settings.port));
  if (isForbidden(cause))
    return error(`Port ${port} is not free for this user: set ${settings.port} to one from 1024 on`);
  if (!isOfAnotherMachine(cause)) return cause;
  const [one, all] = ['127.0.0.1', '0.0.0.0'].map((address) =>
    settings.host === settings.port ? `${address}:${port}` : address,
  );
  return error(
    `"${host}" is no address of this machine: set ${settings.host} to one, as ${one}, or ${all} for all`,
  );
}

/** @param prefix of the two settings @param listen gives up with the error of the system */
export async function listening<Given>(
  { host, port }: Address,
  prefix: string,
  listen: (address: Address) => Promise<Given>,
): Promise<Given> {
  try {
    return await listen({ host, port });
  } catch (cause) {
    throw notListening(cause, { host, port }, { host: `${prefix}_HOST`, port: `${prefix}_PORT` });
  }
}
