// The package.json that is published. The one of the checkout is of an application with its service, tests and tools;
// an installation of the package brings what its code imports, and no more.
import { z } from 'zod';

const names = z.record(z.string(), z.string());
/** The checkout's, as far as it is read here. */
const manifest = z.looseObject({
  dependencies: names,
  devDependencies: names,
  publishConfig: z.record(z.string(), z.unknown()),
});

/**
 * Nothing imports it. As a peer npm puts it beside Temporal's packages; otherwise the older one that gRPC asks for gets that place,
 * each of them has a copy of its own, and the SDK reads no history from JSON: "type must be a Type".
 */
const ONE_COPY = 'protobufjs';

// The consumer's own, so that there is one of each: the SDK tells its own errors and connections by their classes.
const isPeer = (name: string) =>
  (name.startsWith('@temporalio/') && name !== '@temporalio/envconfig') || name === ONE_COPY;
/** For those who run workers, and a download of 150 MB: no matter for those who only start flows. */
const optionalPeers: ReadonlySet<string> = new Set([
  '@temporalio/activity',
  // Downloads the server for `lockerflow dev`.
  '@temporalio/testing',
  '@temporalio/worker',
  '@temporalio/workflow',
]);

const ofTheCheckout = ['private', 'scripts', 'overrides', 'allowScripts'];

/** The packages that the built code imports. */
interface Imported {
  readonly imported: ReadonlySet<string>;
  /** By what `lockerflow dev` alone runs: npm installs them, unless it is told to leave optional ones out. */
  readonly importedByDev: ReadonlySet<string>;
}

/** Throws an Error when a package is imported that is not a dependency. */
export function publishedManifest(checkout: unknown, { imported, importedByDev }: Imported): object {
  const { dependencies: own, devDependencies, publishConfig, ...rest } = manifest.parse(checkout);
  const ofDevelopers = Object.entries(devDependencies).filter(([name]) => optionalPeers.has(name));
  const dependencies = { ...own, ...Object.fromEntries(ofDevelopers) };
  const all = new Set([...imported, ...importedByDev, ONE_COPY]);
  const undeclared = [...all].filter((name) => dependencies[name] === undefined);
  if (undeclared.length > 0)
    throw new Error(`the built code imports ${undeclared.join(', ')}, which package.json does not name`);
  const needed = Object.entries(dependencies).filter(([name]) => all.has(name));
  const peers = needed.filter(([name]) => isPeer(name));
  const others = needed.filter(([name]) => !isPeer(name));
  const optional = peers.filter(([name]) => optionalPeers.has(name));
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([field]) => !ofTheCheckout.includes(field))),
    ...publishConfig,
    dependencies: Object.fromEntries(others.filter(([name]) => imported.has(name))),
    optionalDependencies: Object.fromEntries(others.filter(([name]) => !imported.has(name))),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(optional.map(([name]) => [name, { optional: true }])),
  };
}

// As the compiler writes them: a statement begins its line, and what it takes is between its first word and `from`.
const imports =
  /^(?:import|export) (?:[\w*{][^;'"=]* from )?['"]([^'".][^'"]*)['"]|\bimport\(['"]([^'".][^'"]*)['"]\)/gm;

/** The packages that a built file names in its imports, Node's own aside. */
export function packagesImportedBy(text: string): string[] {
  return [...text.matchAll(imports)]
    .map(([, statement, expression]) => statement ?? expression ?? '')
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}
