// Why a program cannot listen where its settings tell it to: the port, the host, and the settings that change them.

export interface Address {
  readonly host: string;
  readonly port: number;
}

export const portInUse = (port: number, setting: string): string =>
  `Port ${port} is in use: end the program that uses it, or set ${setting} to another`;

/** Node, Temporal's library and Temporal's server each have their own error, with these words of the system. */
export const isPortInUse = (error: unknown): boolean => says(error, /address already in use/i);

const isForbidden = (error: unknown) => says(error, /permission denied/i);
const isOfAnotherMachine = (error: unknown) =>
  says(
    error,
    /address not available|cannot assign requested address|address family not supported|getaddrinfo/i,
  );

function says(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message);
}

/** Host and port of `127.0.0.1:9464` or `[::1]:9464`. */
export function addressOf(text: string): Address {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(text.slice(colon + 1)) };
}

interface Settings {
  readonly host: string;
  readonly port: string;
  /** An address of this machine, and that of all its networks, as the setting of the host takes them. */
  readonly one: string;
  readonly all: string;
}

/** The same error where it has another cause than the address. */
function notListening(cause: unknown, { host, port }: Address, settings: Settings): unknown {
  const error = (message: string) => new Error(message, { cause });
  if (isPortInUse(cause)) return error(portInUse(port, settings.port));
  if (isForbidden(cause))
    return error(`Port ${port} is not free for this user: set ${settings.port} to one from 1024 on`);
  if (isOfAnotherMachine(cause))
    return error(
      `"${host}" is no address of this machine: set ${settings.host} to one, as ${settings.one}, or ${settings.all} for all`,
    );
  return cause;
}

/** For a setting that has host and port. */
export function notListeningAt(text: string, setting: string, cause: unknown): unknown {
  const address = addressOf(text);
  const [one, all] = [`127.0.0.1:${address.port}`, `0.0.0.0:${address.port}`];
  return notListening(cause, address, { host: setting, port: setting, one, all });
}

// Who asks localhost tries 127.0.0.1 too. Fastify would open another server for ::1, which nothing bounds.
const LOOPBACK = '127.0.0.1';

/** @param prefix of the settings of host and port @param listen gives up with the error of the system */
export async function listening<Given>(
  { host, port }: Address,
  prefix: string,
  listen: (address: Address) => Promise<Given>,
): Promise<Given> {
  try {
    return await listen({ host: host === 'localhost' ? LOOPBACK : host, port });
  } catch (cause) {
    const settings = { host: `${prefix}_HOST`, port: `${prefix}_PORT`, one: '127.0.0.1', all: '0.0.0.0' };
    throw notListening(cause, { host, port }, settings);
  }
}
