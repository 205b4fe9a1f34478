// What every program says when another one has the port that it wants: which port, and the setting that changes it.

export const portInUse = (port: number, setting: string): string =>
  `Port ${port} is in use: end the program that uses it, or set ${setting} to another`;

/** Node, Temporal's library and Temporal's server each have their own error, with these words of the system. */
export const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && /address already in use/i.test(error.message);

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @param setting where the port stands @param listen gives up with the error of the system */
export async function listening<Given>(
  { host, port }: Address,
  setting: string,
  listen: (address: Address) => Promise<Given>,
): Promise<Given> {
  try {
    return await listen({ host, port });
  } catch (cause) {
    throw isPortInUse(cause) ? new Error(portInUse(port, setting), { cause }) : cause;
  }
}
