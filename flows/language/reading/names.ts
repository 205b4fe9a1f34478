// The names outside a file that it may use, as far as the program that checks the file knows them.
export interface KnownNames {
  /** The built-in flows. A file may not take the name of one. */
  readonly builtIn: readonly string[];
  /** The flow files that are published, or checked together with this one. Null if not known: any valid name may be one. */
  readonly published: readonly string[] | null;
  /** Null if not known. */
  readonly connectors: KnownConnectors | null;
}

/** The operator's connectors: those for calls, and those for events. */
export interface KnownConnectors {
  readonly calls: readonly string[];
  readonly events: readonly string[];
}
